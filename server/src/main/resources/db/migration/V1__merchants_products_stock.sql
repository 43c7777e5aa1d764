-- Every table of a merchant has a primary key that begins with merchant_id, and every statement on
-- it names the merchant.

create table merchant (
  merchant_id int generated always as identity primary key,
  name text not null,
  store_url text not null,
  store_name text not null,
  -- kept, so that no page of the product list has to count
  products int not null default 0,
  created_at timestamptz not null default now()
);

create table application (
  application_id int generated always as identity primary key,
  appid text not null unique,
  name text not null,
  -- AES-256-GCM, bound to the appid
  secret bytea not null,
  created_at timestamptz not null default now()
);

create table access_token (
  merchant_id int not null references merchant,
  token_id int generated always as identity,
  application_id int not null references application,
  -- SHA-256 of the token; the token itself is nowhere
  hash bytea not null unique,
  -- the beginning of the token, by which people recognise it
  prefix text not null,
  bound_store text not null default '',
  scopes text[] not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  primary key (merchant_id, token_id)
);
create index access_token_application on access_token (application_id);

-- The ids that clients see: an int, unique over the whole server.
create sequence product_id as int;

-- What the product list shows; narrow, so that a page of it is few pages of disk.
create table product (
  merchant_id int not null references merchant,
  product_id int not null,
  -- 0, 1, 2, … within the merchant, in the order of product_id: a page is a range of numbers
  number int not null,
  has_stock boolean not null default false,
  art_no text not null,
  pic text not null,
  primary key (merchant_id, product_id),
  unique (merchant_id, art_no),
  unique (merchant_id, number)
);
create index product_filter on product (merchant_id, has_stock, number);

-- Of each 256 consecutive numbers, how many there are and how many have stock: a filtered page is
-- found by adding these up, not by counting products.
create table product_block (
  merchant_id int not null references merchant,
  block int not null,
  products int not null,
  with_stock int not null,
  primary key (merchant_id, block)
) with (fillfactor = 50);

create table product_detail (
  merchant_id int not null,
  product_id int not null,
  title text not null,
  description text not null,
  imgs text[] not null,
  price numeric(12, 2) not null,
  category_id_tree text not null,
  category_name_tree text not null,
  attribute_names text[] not null,
  attribute_values text[] not null,
  video text not null,
  image_colours text[] not null,
  image_urls text[] not null,
  primary key (merchant_id, product_id),
  foreign key (merchant_id, product_id) references product
);

-- The colours of a product in the order in which they came.
create table stock_colour (
  merchant_id int not null,
  product_id int not null,
  colour_no smallint not null,
  colour text not null,
  primary key (merchant_id, product_id, colour_no),
  unique (merchant_id, product_id, colour),
  foreign key (merchant_id, product_id) references product
);

-- No foreign key here: colour and entry are written together, in one transaction that holds the
-- product, and a check per row would cost a third of a bulk create.
create table stock_entry (
  merchant_id int not null,
  product_id int not null,
  colour_no smallint not null,
  size smallint not null,
  quantity int not null check (quantity >= 0),
  guid uuid not null,
  barcode text,
  primary key (merchant_id, product_id, colour_no, size)
) with (fillfactor = 90);
create index stock_entry_barcode on stock_entry (merchant_id, barcode) where barcode is not null;

-- When each application last created stock for each merchant.
create table create_pace (
  merchant_id int not null references merchant,
  application_id int not null references application,
  last_at timestamptz not null,
  primary key (merchant_id, application_id)
) with (fillfactor = 50);

-- The answer to each create, for a caller that sends the same request again.
create table create_reply (
  merchant_id int not null references merchant,
  application_id int not null,
  token_id int not null,
  signed_at bigint not null,
  body_hash bytea not null,
  answer text not null,
  answered_at timestamptz not null default now(),
  primary key (merchant_id, application_id, token_id, signed_at)
);
create index create_reply_age on create_reply (answered_at);
