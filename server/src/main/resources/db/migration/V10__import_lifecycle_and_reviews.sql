-- An import that nobody decided on expires; and merchants take turns by when they last had one.
alter table import drop constraint import_state_check;
alter table import add constraint import_state_check check (state in
  ('waiting', 'planning', 'planned', 'applying', 'applied', 'refused', 'failed', 'cancelled',
   'expired'));
alter table import add column begun_at timestamptz;
create index import_begun on import (merchant_id, begun_at);

-- Product ids that a merchant was given and has not used yet. They are given before an import
-- writes and used in the transaction that writes, so that one that ends early uses up none.
create table product_id_range (
  merchant_id int not null references merchant,
  first_id int not null,
  last_id int not null,
  primary key (merchant_id, first_id),
  check (first_id <= last_id)
);

-- When a token came back with a restore; null again once somebody has looked at it. It may have
-- been revoked after the backup was made.
alter table access_token add column restored_at timestamptz;
