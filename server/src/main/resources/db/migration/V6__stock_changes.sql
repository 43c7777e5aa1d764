-- What every batch changed in the stock of a product: who, when, through what, old and new. One row
-- for each product and batch, since a bulk create touches thousands of entries. The arrays run side
-- by side. Only what really changed is here. No foreign key, as with stock_entry.
create table stock_change (
  merchant_id int not null,
  product_id int not null,
  change_id bigint generated always as identity,
  at timestamptz not null default now(),
  -- as in the audit
  actor text not null,
  through text not null check (through in ('page', 'call', 'import')),
  -- the change whose old values this one wrote back
  undoes bigint,
  colours smallint[] not null,
  sizes smallint[] not null,
  -- null where the entry is new
  quantities_before int[] not null,
  quantities_after int[] not null,
  -- null where no barcode changed; within them both null where this one did not
  barcodes_before text[],
  barcodes_after text[],
  primary key (merchant_id, product_id, change_id)
);
create index stock_change_age on stock_change (at);
