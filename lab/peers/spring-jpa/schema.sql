-- The tables of the peer, in a schema of its own beside Stockroom's, with the indexes that its queries need.
drop schema if exists peer cascade;
create schema peer;
set search_path = peer;

create table merchant (
  id int primary key,
  store_url text not null,
  store_name text not null
);

create table application (
  id int primary key,
  appid text not null unique,
  secret text not null
);

create table access_token (
  id int primary key,
  -- SHA-256 in hexadecimal digits
  hash text not null unique,
  application_id int not null references application,
  merchant_id int not null references merchant,
  bound_store text not null,
  expires_at timestamptz,
  revoked_at timestamptz
);

create table product (
  id int primary key,
  merchant_id int not null references merchant,
  art_no text not null,
  pic text not null,
  has_stock boolean not null,
  title text not null,
  description text not null,
  price numeric(12, 2) not null,
  category_id_tree text not null,
  category_name_tree text not null,
  video text not null
);

create table product_image (
  product_id int not null,
  position int not null,
  url text not null
);

create table product_attribute (
  product_id int not null,
  position int not null,
  name text not null,
  value text not null
);

create table product_color (
  id bigint primary key,
  product_id int not null,
  -- the order in which the colors were added
  position int not null,
  name text not null,
  image_url text not null
);
create sequence product_color_seq increment 50;

create table stock_entry (
  guid uuid primary key,
  merchant_id int not null,
  product_id int not null,
  color_id bigint not null,
  size int not null,
  quantity int not null check (quantity >= 0),
  barcode text
);

create table create_limit (
  application_id int not null,
  merchant_id int not null,
  last_at timestamptz not null,
  primary key (application_id, merchant_id)
);

create table detail_usage (
  merchant_id int primary key,
  day date not null,
  used int not null
);

create table detail_fetch (
  merchant_id int not null,
  product_id int not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  published boolean not null,
  primary key (merchant_id, product_id)
);
create index detail_fetch_first on detail_fetch (merchant_id, first_at);

create table store_product (
  merchant_id int not null,
  bound_store text not null,
  product_id int not null,
  last_at timestamptz not null,
  primary key (merchant_id, bound_store, product_id)
);
create index store_product_last on store_product (merchant_id, bound_store, last_at);
