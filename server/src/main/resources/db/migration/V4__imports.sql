-- Files of products on their way in. A node that works on one holds it by a lease; any node can take
-- it over from the stored file when the lease has run out.
create sequence import_id as int;

create table import (
  merchant_id int not null references merchant,
  import_id int not null,
  name text not null,
  actor text not null,
  address text not null,
  state text not null check (state in
    ('waiting', 'planning', 'planned', 'applying', 'applied', 'refused', 'failed', 'cancelled')),
  apply boolean not null,
  skip_bad boolean not null,
  bytes bigint not null,
  -- what the bytes are, as far as the whole of them tells: an encoding, or empty
  guessed_encoding text not null,
  -- what the sender said: encoding, delimiter, columns
  options jsonb not null default '{}',
  -- what was found, compared and done so far
  report jsonb not null default '{}',
  phase text,
  done bigint not null default 0,
  total bigint not null default 0,
  unit text,
  cancel boolean not null default false,
  file_kept boolean not null default true,
  rejected boolean not null default false,
  attempts int not null default 0,
  -- what kept the last attempt from its end
  trouble text not null default '',
  holder uuid,
  lease_until timestamptz,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (merchant_id, import_id)
) with (fillfactor = 50);
-- one at a time for each merchant, whichever nodes ask
create unique index import_running on import (merchant_id) where state in ('planning', 'applying');
create index import_open on import (import_id) where state in ('waiting', 'planning', 'applying');
create index import_newest on import (import_id);

-- The bytes of files, in pieces. They come before their import is there, so there is no foreign key.
create table import_piece (
  merchant_id int not null,
  import_id int not null,
  rejected boolean not null,
  number int not null,
  content bytea not null,
  stored_at timestamptz not null default now(),
  primary key (merchant_id, import_id, rejected, number)
);
-- the pieces are read whole and mostly do not shrink: no time is spent on trying
alter table import_piece alter column content set storage external;

-- How a merchant's columns were mapped by hand; an empty field: the column is ignored.
create table import_column (
  merchant_id int not null references merchant,
  column_name text not null,
  field text not null,
  primary key (merchant_id, column_name)
);
