-- The tables of a cell: everything that belongs to one merchant, for all merchants of the cell. Every
-- primary key begins with merchant_id, and every unique and foreign key contains it. The comment on a
-- table begins with "Merchant data:"; a test reads it.
--
-- The other side of the schema is the directory (db/directory). No foreign key, no statement and no
-- transaction touches both: each cell can be a database of its own.

-- The console searches products by any part of their words. Both extensions come with PostgreSQL, and
-- the owner of a database may create them.
create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- ------------------------------------------------------------------------------------------------
-- Merchant data: products and stock
-- ------------------------------------------------------------------------------------------------

-- Imports, and creates with barcodes, lock this row: they run one after the other for each merchant.
create table merchant_data (
  merchant_id int primary key,
  -- what products show of the store: copied from the directory when the merchant is created
  store_url text not null,
  store_name text not null,
  -- kept up to date, so that no page of the product list has to count
  products int not null default 0,
  -- how many are archived; the next product gets the number products + archived
  archived int not null default 0,
  -- quantities below this are low, unless the product has its own threshold
  low_below int not null default 5 check (low_below between 1 and 1000000),
  -- what imports call the color and the size of products without; null: not used yet
  only_color text,
  only_size text
);
comment on table merchant_data is
  'Merchant data: one row for each merchant, to which everything else of the merchant refers.';

-- Narrow, so that a page of the product list reads few pages of disk.
create table product (
  merchant_id int not null references merchant_data,
  product_id int not null,
  -- 0, 1, 2, … within the merchant, in the order of product_id: a page is a range of numbers, as
  -- long as no product is archived, which keeps its number
  number int not null,
  has_stock boolean not null default false,
  art_no text not null,
  pic text not null,
  primary key (merchant_id, product_id),
  unique (merchant_id, art_no),
  unique (merchant_id, number)
);
create index product_filter on product (merchant_id, has_stock, number);
comment on table product is 'Merchant data: what the product list shows.';

-- Counts of each 256 consecutive numbers (level 0) and of each 64 such blocks (level 1). A filtered
-- page is found by adding up level 1 and then one block of level 0, not by counting products.
create table product_block (
  merchant_id int not null references merchant_data,
  level smallint not null,
  block int not null,
  products int not null,
  with_stock int not null,
  primary key (merchant_id, level, block)
) with (fillfactor = 50);
comment on table product_block is
  'Merchant data: how many products and how many with stock there are in each block of numbers.';

create table product_detail (
  merchant_id int not null,
  product_id int not null,
  title text not null,
  description text not null,
  imgs text[] not null,
  price numeric(12, 2) not null,
  category_id_tree text not null,
  category_name_tree text not null,
  -- side by side with attribute_values
  attribute_names text[] not null,
  attribute_values text[] not null,
  video text not null,
  -- side by side with image_urls
  image_colors text[] not null,
  image_urls text[] not null,
  primary key (merchant_id, product_id),
  foreign key (merchant_id, product_id) references product
);
comment on table product_detail is 'Merchant data: what only the product detail shows.';

-- An import reserves ids before it writes and uses them in the transaction that writes, so that one
-- that is rolled back loses none.
create table product_id_range (
  merchant_id int not null references merchant_data,
  first_id int not null,
  last_id int not null,
  primary key (merchant_id, first_id),
  check (first_id <= last_id)
);
comment on table product_id_range is
  'Merchant data: product ids that the merchant was given and has not used yet.';

-- A product that is archived has no row in product and product_detail, so every statement treats it
-- as missing. It keeps its id, its number, its item number and its colors.
create table archived_product (
  like product_detail,
  number int not null,
  art_no text not null,
  pic text not null,
  archived_at timestamptz not null default now(),
  primary key (merchant_id, product_id),
  unique (merchant_id, art_no),
  foreign key (merchant_id) references merchant_data
);
create index archived_product_newest on archived_product (merchant_id, archived_at, product_id);
comment on table archived_product is 'Merchant data: products that were archived.';

-- Colors are never deleted: the change log names them by number. A color whose entries were all
-- removed is not shown. No foreign key: an archived product keeps its colors.
create table stock_color (
  merchant_id int not null,
  product_id int not null,
  -- 0, 1, 2, … in the order in which the colors came
  color_no smallint not null,
  color text not null,
  primary key (merchant_id, product_id, color_no),
  unique (merchant_id, product_id, color)
);
comment on table stock_color is 'Merchant data: the colors of a product.';

-- No foreign key: color and entry are written in one transaction that holds the product, and a
-- check per row would cost a third of a bulk create.
create table stock_entry (
  merchant_id int not null,
  product_id int not null,
  quantity int not null check (quantity >= 0),
  color_no smallint not null,
  -- the rank of the size: its bytes sort as people sort sizes, and are the same whatever the case
  size text collate "C" not null,
  -- the size as it was first written
  size_text text not null,
  guid uuid not null,
  barcode text,
  primary key (merchant_id, product_id, color_no, size)
) with (fillfactor = 90);
create index stock_entry_barcode on stock_entry (merchant_id, barcode) where barcode is not null;
comment on table stock_entry is 'Merchant data: the quantity of each color and size of a product.';

-- The guid of a color and size is theirs for good: the change log shows it after the entry was
-- removed, and an entry that is added again gets it back. Rows of entries that were added again may
-- remain.
create table removed_entry (
  like stock_entry,
  -- whether the entry comes back when its product is restored
  archived boolean not null,
  primary key (merchant_id, product_id, color_no, size)
);
comment on table removed_entry is
  'Merchant data: stock entries that were removed, or whose product is archived.';

-- A product belongs to one merchant. These statistics tell the planner how many rows a product
-- really has. Without them it expects a single row and looks up the color of each entry separately.
create statistics stock_entry_product (dependencies, ndistinct)
  on merchant_id, product_id, color_no from stock_entry;
create statistics stock_color_product (dependencies, ndistinct)
  on merchant_id, product_id from stock_color;

-- One row for each product and batch, because a bulk create changes thousands of entries. The arrays
-- run side by side and hold only what really changed. No foreign key, as with stock_entry.
create table change_log (
  merchant_id int not null,
  -- 1, 2, 3, … without gaps, in the order of the commits: log_head hands it out
  number bigint not null,
  at timestamptz not null,
  -- the number of the audit entry: changes of one transaction share it
  batch bigint not null,
  source text not null check (source in ('interface', 'console', 'import', 'undo')),
  product_id int not null,
  kind text not null check (kind in ('product', 'stock')),
  -- the change whose old values this one wrote back
  undoes bigint,
  -- of a product: whether it is new, and which of its fields changed
  created boolean,
  fields text[],
  -- of stock
  colors smallint[],
  -- their ranks
  sizes text[],
  -- null where the entry is new
  quantities_before int[],
  -- null where the entry was removed
  quantities_after int[],
  -- null if no barcode changed; both elements are null where this entry's did not
  barcodes_before text[],
  barcodes_after text[],
  primary key (merchant_id, number),
  check ((kind = 'stock') = (colors is not null)),
  check ((kind = 'product') = (fields is not null))
);
create index change_log_product on change_log (merchant_id, product_id, number);
create index change_log_age on change_log (at);
comment on table change_log is
  'Merchant data: every change of a product or its stock, in the order in which they became visible.';

-- Digests of the stock, so that only blocks with changes are computed again. Who computes locks the
-- merchant's row, also against other nodes.
create table stock_digest (
  merchant_id int primary key,
  -- all blocks of the merchant are as they were after this change
  number bigint not null
) with (fillfactor = 50);
comment on table stock_digest is
  'Merchant data: up to which change the digests of a merchant''s stock are computed.';

create table stock_digest_block (
  merchant_id int not null,
  -- product_id / 256; blocks without entries have no row
  block int not null,
  products int not null,
  entries int not null,
  -- SHA-256
  digest bytea not null,
  primary key (merchant_id, block)
);
comment on table stock_digest_block is
  'Merchant data: the digest of the stock of each 256 consecutive product ids.';

create table low_stock_threshold (
  merchant_id int not null,
  product_id int not null,
  below int not null check (below between 1 and 1000000),
  primary key (merchant_id, product_id)
);
comment on table low_stock_threshold is
  'Merchant data: products whose quantities are low below another number than the merchant''s.';

-- What the console sorts, filters and counts. It is derived from the products and their stock: the
-- change log tells which products to summarize again, so a write of stock costs nothing here.
create table product_summary (
  merchant_id int not null,
  product_id int not null,
  -- in lower case, to sort by
  art_no text not null,
  title text not null,
  price numeric(12, 2) not null,
  category text not null,
  -- in lower case, one on each line
  colors text not null,
  status text not null check (status in ('in-stock', 'low', 'sold-out', 'none-yet')),
  quantity bigint not null,
  -- entries that are low but not 0, and entries that are 0
  low_entries int not null,
  sold_out_entries int not null,
  -- null if the change log no longer has a change of the product
  changed_at timestamptz,
  -- when the product became low, or sold out after it was low; null if it is neither
  low_since timestamptz,
  primary key (merchant_id, product_id)
);
create index product_summary_low on product_summary (merchant_id, low_since)
  where low_since is not null;
create index product_summary_art_no on product_summary (merchant_id, art_no, product_id);
create index product_summary_title on product_summary (merchant_id, title, product_id);
create index product_summary_price on product_summary (merchant_id, price, product_id);
create index product_summary_quantity on product_summary (merchant_id, quantity, product_id);
create index product_summary_category on product_summary (merchant_id, category, product_id);
create index product_summary_status on product_summary (merchant_id, status, product_id);
create index product_summary_changed on product_summary (merchant_id, changed_at, product_id);
create index product_summary_missing on product_summary
  (merchant_id, (sold_out_entries + low_entries), product_id) where sold_out_entries + low_entries > 0;
comment on table product_summary is
  'Merchant data: what the console''s list of products sorts and filters by.';

-- Apart from the summary, because changes of quantities are frequent and the index is large.
create table product_words (
  merchant_id int not null,
  product_id int not null,
  -- item number, title, colors and barcodes, as SearchText writes them
  words text not null,
  primary key (merchant_id, product_id)
);
-- a small pending list: every search reads it
create index product_words_search on product_words using gin (merchant_id, words gin_trgm_ops)
  with (gin_pending_list_limit = 256);
comment on table product_words is 'Merchant data: what a search of the console finds a product by.';

create table product_summary_head (
  merchant_id int primary key,
  -- the summaries contain every change up to this one
  number bigint not null default 0,
  -- while all products are summarized again: the last one that is done; otherwise null
  rebuilt_to int default 0,
  products int not null default 0,
  low int not null default 0,
  sold_out int not null default 0,
  none_yet int not null default 0
) with (fillfactor = 50);
comment on table product_summary_head is
  'Merchant data: up to which change products are summarized, and how many have which status.';

-- ------------------------------------------------------------------------------------------------
-- Merchant data: pictures
-- ------------------------------------------------------------------------------------------------

-- Products refer to pictures by their addresses, in imgs, image_urls and description; those say which
-- merchant's and which SHA-256.
create table picture (
  merchant_id int not null references merchant_data,
  -- of the stored bytes
  sha256 bytea not null check (octet_length(sha256) = 32),
  type text not null check (type in ('jpeg', 'png', 'webp', 'gif')),
  width int not null,
  height int not null,
  -- the thumbnails that are smaller than the picture
  thumbnails smallint[] not null,
  -- with its thumbnails
  bytes bigint not null,
  place text not null check (place in ('database', 's3')),
  stored_at timestamptz not null default now(),
  -- since when no product refers to it; null: one does
  unused_since timestamptz default now(),
  primary key (merchant_id, sha256)
);
create index picture_unused on picture (merchant_id, unused_since) where unused_since is not null;
comment on table picture is 'Merchant data: the stored pictures.';

create table picture_content (
  merchant_id int not null,
  sha256 bytea not null,
  -- 0: the picture itself; otherwise the longer side of its thumbnail
  size smallint not null,
  content bytea not null,
  primary key (merchant_id, sha256, size),
  foreign key (merchant_id, sha256) references picture
);
-- pictures are compressed already
alter table picture_content alter column content set storage external;
comment on table picture_content is
  'Merchant data: the bytes of the pictures and thumbnails that are stored in the database.';

create table picture_usage (
  merchant_id int primary key references merchant_data,
  pictures int not null,
  bytes bigint not null,
  -- when the pictures that no product refers to were last looked for
  checked_at timestamptz not null default now()
) with (fillfactor = 50);
comment on table picture_usage is 'Merchant data: how much each merchant''s pictures take.';

-- An unused picture is deleted while no such transaction is open. It is the lock PICTURES_IN_USE of
-- AdvisoryLock.
create function product_refers_to_pictures() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(7305510498309);
  return null;
end $$;
create trigger product_detail_pictures
before insert or update of imgs, image_urls, description on product_detail
for each statement execute function product_refers_to_pictures();

-- ------------------------------------------------------------------------------------------------
-- Merchant data: webhooks
-- ------------------------------------------------------------------------------------------------

-- The node that delivers to a webhook holds it by a lease. Another node takes over after the lease
-- has expired.
create table webhook (
  merchant_id int not null references merchant_data,
  webhook_id uuid not null,
  url text not null,
  kinds text[] not null check (kinds <@ array['stock', 'product'] and cardinality(kinds) > 0),
  -- AES-256-GCM, bound to the id
  secret bytea not null,
  -- during a rotation deliveries are signed with the previous secret, too, until previous_until
  previous_secret bytea,
  previous_until timestamptz,
  created_at timestamptz not null default now(),
  -- every change up to this number was delivered, or is of a kind that is not wanted
  position bigint not null,
  -- the batch in delivery: the changes after position up to batch_last, and the id that it keeps
  -- over all attempts; null between batches
  batch_last bigint,
  message_id uuid,
  -- failed attempts to deliver that batch
  attempts int not null default 0,
  next_attempt_at timestamptz not null default '-infinity',
  state text not null default 'active' check (state in ('active', 'failing', 'disabled')),
  failing_since timestamptz,
  -- gone: the receiver answered 410; failures: no delivery in five days; expired: the next change
  -- is no longer kept; request: somebody disabled it; restored: the database is a restored backup
  disabled_reason text
    check (disabled_reason in ('gone', 'failures', 'expired', 'request', 'restored')),
  -- the number of the newest row in webhook_delivery
  deliveries bigint not null default 0,
  -- webhooks take turns by when they were last claimed
  claimed_at timestamptz,
  holder uuid,
  lease_until timestamptz,
  primary key (merchant_id, webhook_id),
  check ((state = 'disabled') = (disabled_reason is not null))
) with (fillfactor = 50);
comment on table webhook is 'Merchant data: the addresses that are notified of changes.';

create table webhook_delivery (
  merchant_id int not null,
  webhook_id uuid not null,
  -- 1, 2, 3, … in the order in which the attempts ended
  number bigint not null,
  at timestamptz not null,
  -- what was sent: changes or test
  type text not null check (type in ('changes', 'test')),
  message_id uuid not null,
  -- 1 for the first attempt to deliver the message
  attempt int not null,
  first_change bigint,
  last_change bigint,
  -- null if there was no response
  status smallint,
  -- why it failed; empty after a 2xx
  error text not null,
  detail text not null,
  millis int not null,
  -- secrets are masked, long texts cut
  request_headers text not null,
  request_body text not null,
  response_headers text not null,
  response_body text not null,
  primary key (merchant_id, webhook_id, number),
  foreign key (merchant_id, webhook_id) references webhook on delete cascade
);
create index webhook_delivery_age on webhook_delivery (at);
comment on table webhook_delivery is
  'Merchant data: attempts to deliver to a webhook, with request and response.';

-- ------------------------------------------------------------------------------------------------
-- Merchant data: limits
-- ------------------------------------------------------------------------------------------------

-- Rate-limited calls, and calls with an idempotency key, lock this row: those of one application for
-- one merchant and endpoint run one after the other.
create table call_rate (
  merchant_id int not null references merchant_data,
  application_id int not null,
  endpoint text not null,
  -- when the last calls were made, oldest first; as many as the limit allows in its window
  calls timestamptz[] not null,
  primary key (merchant_id, application_id, endpoint)
) with (fillfactor = 50);
comment on table call_rate is
  'Merchant data: when each application last made calls that have a rate limit.';

create table idempotent_reply (
  merchant_id int not null references merchant_data,
  application_id int not null,
  endpoint text not null,
  -- the Idempotency-Key; without one, a create has its token id, its timestamp and its body's hash
  key text not null,
  body_hash bytea not null,
  -- the error code of a business failure; empty: success
  code text not null,
  answer text not null,
  expires_at timestamptz not null,
  primary key (merchant_id, application_id, endpoint, key)
);
create index idempotent_reply_age on idempotent_reply (expires_at);
comment on table idempotent_reply is
  'Merchant data: the answers to calls that a client may send again.';

-- A product detail locks this row while its limits are checked and charged. It is a row of its own,
-- so that details never wait for an import.
create table detail_usage (
  merchant_id int primary key references merchant_data,
  day date not null,
  used int not null,
  -- The publish results that are due: of the rows of detail_fetch with first_at <= grace_edge and
  -- last_at > publish_edge, how many there are, have a result of any kind, and are published. A
  -- detail adds and subtracts only the rows that have crossed an edge since.
  grace_edge timestamptz not null default '-infinity',
  publish_edge timestamptz not null default '-infinity',
  due int not null default 0,
  due_reported int not null default 0,
  due_published int not null default 0
) with (fillfactor = 50);
comment on table detail_usage is
  'Merchant data: how many product details the merchant fetched on the last day it fetched any, and how many publish results are due.';

create table detail_fetch (
  merchant_id int not null references merchant_data,
  product_id int not null,
  -- when the current series of fetches began
  first_at timestamptz not null,
  last_at timestamptz not null,
  -- whether it has a publish result of any kind, and whether it is published somewhere
  reported boolean not null,
  published boolean not null,
  primary key (merchant_id, product_id)
);
-- the rows that have crossed an edge
create index detail_fetch_first on detail_fetch (merchant_id, first_at);
create index detail_fetch_last on detail_fetch (merchant_id, last_at);
comment on table detail_fetch is 'Merchant data: each product whose detail the merchant fetched.';

create table store_product (
  merchant_id int not null references merchant_data,
  bound_store text not null,
  product_id int not null,
  last_at timestamptz not null,
  primary key (merchant_id, bound_store, product_id)
);
create index store_product_last on store_product (merchant_id, bound_store, last_at);
comment on table store_product is
  'Merchant data: the distinct products whose detail was fetched for a bound store.';

create table store_usage (
  merchant_id int not null references merchant_data,
  bound_store text not null,
  products int not null,
  primary key (merchant_id, bound_store)
) with (fillfactor = 50);
comment on table store_usage is 'Merchant data: how many rows store_product has for a bound store.';

create table publish_result (
  merchant_id int not null references merchant_data,
  product_id int not null,
  bound_store text not null,
  result text not null check (result in ('published', 'failed', 'withdrawn')),
  url text not null,
  msg text not null,
  reported_at timestamptz not null default now(),
  primary key (merchant_id, product_id, bound_store)
);
comment on table publish_result is
  'Merchant data: what a store reported about publishing a product.';

-- A repeated request is recognized by its nonce, on whichever node it arrives. No foreign keys: a
-- read must not wait for a lock here.
create table nonce (
  merchant_id int not null,
  application_id int not null,
  nonce text not null,
  -- SHA-256 of everything that was signed
  request_hash bytea not null,
  seen_at timestamptz not null default now(),
  primary key (merchant_id, application_id, nonce)
);
create index nonce_age on nonce (seen_at);
comment on table nonce is
  'Merchant data: the nonces of signed requests, for as long as their timestamps are accepted.';

-- ------------------------------------------------------------------------------------------------
-- Merchant data: imports
-- ------------------------------------------------------------------------------------------------

-- The node that works on an import holds it by a lease. Another node takes over from the stored file
-- after the lease has expired.
create table import (
  merchant_id int not null references merchant_data,
  import_id int not null,
  -- what the job does: import a file, change the stock of many products in the console, or write back
  -- what another job changed
  kind text not null default 'import' check (kind in ('import', 'edit', 'undo')),
  -- of an undo: the job whose changes it writes back
  undoes int,
  -- the audit entry that its changes belong to; null until it is applied, or if it changed nothing
  batch bigint,
  name text not null,
  actor text not null,
  address text not null,
  state text not null check (state in
    ('waiting', 'planning', 'planned', 'applying', 'applied', 'refused', 'failed', 'cancelled',
     'expired')),
  apply boolean not null,
  skip_bad boolean not null,
  bytes bigint not null,
  -- the encoding that the bytes suggest, or empty
  guessed_encoding text not null,
  -- what the sender said: encoding, delimiter, columns
  options jsonb not null,
  -- what was found, compared and done so far
  report jsonb not null default '{}',
  phase text,
  done bigint not null default 0,
  total bigint not null default 0,
  unit text,
  -- when the phase began, for the time that is left
  phase_at timestamptz,
  cancel boolean not null default false,
  file_kept boolean not null default true,
  rejected boolean not null default false,
  attempts int not null default 0,
  -- why the last attempt did not finish
  trouble text not null default '',
  holder uuid,
  lease_until timestamptz,
  created_at timestamptz not null default now(),
  -- merchants take turns by when their last import began
  begun_at timestamptz,
  finished_at timestamptz,
  primary key (merchant_id, import_id),
  check ((kind = 'undo') = (undoes is not null))
) with (fillfactor = 50);
-- one at a time for each merchant, on whichever node
create unique index import_running on import (merchant_id) where state in ('planning', 'applying');
create index import_open on import (import_id) where state in ('waiting', 'planning', 'applying');
create index import_newest on import (import_id);
create index import_begun on import (merchant_id, begun_at);
-- the history of a product names the jobs that its changes belong to
create unique index import_batch on import (merchant_id, batch) where batch is not null;
-- a job is undone once; to do it again, undo the undo
create unique index import_undo on import (merchant_id, undoes)
  where state in ('waiting', 'planning', 'applying', 'applied');
comment on table import is
  'Merchant data: jobs that change many products: imports of files, bulk edits and undos, running and finished.';

-- A column is null where the job did not change that field.
create table import_before (
  merchant_id int not null,
  import_id int not null,
  product_id int not null,
  title text,
  description text,
  imgs text[],
  price numeric(12, 2),
  category_id_tree text,
  category_name_tree text,
  attribute_names text[],
  attribute_values text[],
  video text,
  image_colors text[],
  image_urls text[],
  primary key (merchant_id, import_id, product_id)
);
comment on table import_before is
  'Merchant data: the product fields that a job changed, as they were before, for its undo.';

-- No foreign key: a job stores them while its own transaction is still open.
create table import_error (
  merchant_id int not null,
  import_id int not null,
  -- 1, 2, 3, … in the order of the file
  number int not null,
  row int not null,
  art_no text not null,
  column_name text not null,
  value text not null,
  code text not null,
  arguments text[] not null,
  primary key (merchant_id, import_id, number)
);
comment on table import_error is
  'Merchant data: what was wrong with the rows of a job, and what an undo left as it is.';

-- No foreign key: the pieces arrive before their import is stored.
create table import_piece (
  merchant_id int not null,
  import_id int not null,
  rejected boolean not null,
  number int not null,
  content bytea not null,
  stored_at timestamptz not null default now(),
  primary key (merchant_id, import_id, rejected, number)
);
comment on table import_piece is 'Merchant data: the bytes of uploaded files, in pieces.';

create table import_column (
  merchant_id int not null references merchant_data,
  column_name text not null,
  -- empty: the column is ignored
  field text not null,
  primary key (merchant_id, column_name)
);
comment on table import_column is 'Merchant data: how people mapped the columns of their files.';

-- ------------------------------------------------------------------------------------------------
-- Merchant data: audit log, traffic and request log
-- ------------------------------------------------------------------------------------------------

-- The last statement of a change locks this row until its commit, so numbers are in commit order.
create table log_head (
  merchant_id int primary key,
  -- the last entry of the audit log
  number bigint not null default 0,
  at timestamptz not null default '-infinity',
  hash bytea not null default '',
  -- the last entry that was moved to an archive, and its hash: the rest of the chain follows from it
  archived_number bigint not null default 0,
  archived_hash bytea not null default '',
  -- the last change of the change log
  last_change bigint not null default 0,
  -- part of every cursor; a restore gives the log a new one, so that older cursors are refused
  log_id uuid not null default gen_random_uuid()
) with (fillfactor = 50);
comment on table log_head is
  'Merchant data: the end of each merchant''s audit log and change log. Merchants do not wait for each other; 0 is the server''s own audit log.';

create table audit (
  merchant_id int not null,
  number bigint not null,
  at timestamptz not null,
  actor text not null,
  action text not null,
  subject text not null,
  details text not null,
  address text not null,
  -- the numbers of the changes that were written together with this entry; null if there are none
  first_change bigint,
  last_change bigint,
  -- SHA-256 of the hash before it and of this row's text
  hash bytea not null,
  primary key (merchant_id, number)
);
create index audit_at on audit (at);
-- the history of limits on an operator's pages
create index audit_limits on audit (merchant_id, number)
  where action in ('merchant.limits', 'limits.change');
-- the last backup, for the metric and its alert
create index audit_backups on audit (at) where action = 'server.backup';
comment on table audit is 'Merchant data: every change: who, when, what, from where.';

-- An entry that could be appended twice, because a node failed before it deleted it from the outbox, is
-- recognized here.
create table audit_received (
  merchant_id int not null,
  -- its id in the outbox of the directory
  entry_id uuid not null,
  at timestamptz not null default now(),
  primary key (merchant_id, entry_id)
);
create index audit_received_age on audit_received (at);
comment on table audit_received is
  'Merchant data: entries of the audit log that came from the directory in the last weeks.';

create function audit_is_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is append-only';
end $$;
create trigger audit_append_only before update or truncate on audit
for each statement execute function audit_is_append_only();

-- The rows of a merchant that has moved to another cell are deleted here, and archived ones.
create function audit_rows_have_moved() returns trigger language plpgsql as $$
begin
  if exists (
    select 1 from gone left join log_head h using (merchant_id)
    where merchant_id not in (select merchant_id from absent_merchant where until = 'infinity')
      and gone.number > coalesce(h.archived_number, 0)
  ) then
    raise exception 'the audit log is append-only';
  end if;
  return null;
end $$;
create trigger audit_deleted after delete on audit referencing old table as gone
for each statement execute function audit_rows_have_moved();

-- All nodes add to the same rows. No foreign keys: counting a call must never wait.
create table traffic (
  -- 0: all calls of the server, whether the caller is known or not
  merchant_id int not null,
  -- a minute; of older times the first minute of an hour
  at timestamptz not null,
  application_id int not null,
  endpoint text not null,
  status smallint not null,
  -- the error code; empty for a success
  code text not null,
  calls bigint not null,
  -- calls that the request log did not keep
  unlogged bigint not null,
  micros bigint not null,
  longest_micros bigint not null,
  -- calls by how long they took; the program knows the bounds
  buckets bigint[] not null,
  primary key (merchant_id, at, application_id, endpoint, status, code)
) with (fillfactor = 60);
create index traffic_age on traffic (at);
-- what has to become hours
create index traffic_minute on traffic (at) where extract(minute from at at time zone 'UTC') <> 0;
comment on table traffic is
  'Merchant data: how many calls of the interface there were, with which outcome, and how long they took.';

-- Writers take turns, so that ids are given in the order in which rows become visible.
create table request_log (
  -- 0: the caller is unknown
  merchant_id int not null,
  id bigint generated always as identity,
  at timestamptz not null,
  request_id text not null,
  application_id int not null,
  endpoint text not null,
  method text not null,
  path text not null,
  status smallint not null,
  code text not null,
  micros bigint not null,
  address text not null,
  headers text not null,
  -- null if the call was refused before its body was read
  body bytea,
  body_bytes int not null,
  answer bytea not null,
  answer_bytes int not null,
  primary key (merchant_id, id)
);
create index request_log_newest on request_log (id);
-- failures are searched among many successes
create index request_log_refused on request_log (id) where code <> '';
create index request_log_request on request_log (request_id);
create index request_log_age on request_log (at);
comment on table request_log is
  'Merchant data: calls with their requests and answers; secrets are masked, long bodies cut.';

-- No foreign key: the row remains when everything else of the merchant is gone.
create table absent_merchant (
  merchant_id int primary key,
  -- arriving: its rows are copied to this cell; left: it is, or was, moved to another cell
  state text not null check (state in ('arriving', 'left')),
  -- a pause ends by itself, in case the mover does not come back
  until timestamptz not null default 'infinity'
);
comment on table absent_merchant is
  'Merchant data: merchants whose rows in this cell must not be used, because they move or have moved.';

-- Empty in the directory's database, and until the cell is added or first opened. It does not belong to
-- a merchant: moves and backups leave it out.
create table cell_identity (
  identity uuid primary key,
  only_one boolean not null default true unique check (only_one)
);
comment on table cell_identity is 'Cell: which cell this database is.';
