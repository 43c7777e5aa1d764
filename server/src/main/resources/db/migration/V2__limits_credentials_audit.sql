-- What the operator set for one merchant instead of the settings: setting name → value as text.
alter table merchant add column limits jsonb not null default '{}';

alter table application
  -- during a rotation the former secret lives on until previous_until
  add column previous_secret bytea,
  add column previous_until timestamptz,
  add column require_hmac boolean not null default false,
  -- networks such as 10.0.0.0/8 it may call from; empty: any
  add column addresses text[] not null default '{}';

alter table access_token add column last_used_at timestamptz;

-- The one row that a product detail holds while its limits are judged and charged.
create table detail_account (
  merchant_id int primary key references merchant,
  day date not null,
  used int not null
) with (fillfactor = 50);
insert into detail_account (merchant_id, day, used)
select merchant_id, current_date, 0 from merchant;

-- Each product a merchant fetched: when its series of fetches began, when it was fetched last.
create table detail_fetch (
  merchant_id int not null references merchant,
  product_id int not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  published boolean not null,
  primary key (merchant_id, product_id)
);
create index detail_fetch_first on detail_fetch (merchant_id, first_at) include (last_at, published);

-- The distinct products fetched for a bound store, and how many rows there are of them.
create table store_product (
  merchant_id int not null references merchant,
  bound_store text not null,
  product_id int not null,
  last_at timestamptz not null,
  primary key (merchant_id, bound_store, product_id)
);
create index store_product_last on store_product (merchant_id, bound_store, last_at);

create table store_account (
  merchant_id int not null references merchant,
  bound_store text not null,
  products int not null,
  primary key (merchant_id, bound_store)
) with (fillfactor = 50);

create table publish_result (
  merchant_id int not null references merchant,
  product_id int not null,
  bound_store text not null,
  result text not null check (result in ('published', 'failed', 'withdrawn')),
  url text not null,
  msg text not null,
  reported_at timestamptz not null default now(),
  primary key (merchant_id, product_id, bound_store)
);

-- Every change: who, when, what, from where. One chain for each merchant, and chain 0 for the
-- server itself, so that merchants do not wait for each other.
create table audit_head (
  merchant_id int primary key,
  number bigint not null,
  hash bytea not null
) with (fillfactor = 50);

create table audit (
  merchant_id int not null,
  number bigint not null,
  at timestamptz not null,
  actor text not null,
  action text not null,
  subject text not null,
  details text not null,
  address text not null,
  -- SHA-256 of the hash before it and of this row's text
  hash bytea not null,
  primary key (merchant_id, number)
);
create index audit_at on audit (at);

create function audit_is_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'the audit trail is append-only';
end $$;
create trigger audit_append_only before update or delete or truncate on audit
for each statement execute function audit_is_append_only();
