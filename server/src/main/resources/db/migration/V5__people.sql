-- The people who use the console. A person belongs to one merchant, or is an operator.
create table person (
  person_id int generated always as identity primary key,
  -- in lower case
  email text not null unique,
  -- null: an operator
  merchant_id int references merchant,
  roles text[] not null,
  -- Argon2id with its parameters and salt; null until the person has chosen one
  password text,
  created_at timestamptz not null default now(),
  check (roles <@ array['operator', 'merchant', 'developer'] and cardinality(roles) > 0),
  check ((merchant_id is null) = (roles = array['operator']))
);
create index person_merchant on person (merchant_id);

-- Who is signed in. The id itself is only in the person's cookie; here is its SHA-256.
create table session (
  hash bytea primary key,
  person_id int not null references person on delete cascade,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  address text not null,
  browser text not null
) with (fillfactor = 70);
create index session_person on session (person_id);

-- Links that work once: a used one is gone.
create table person_link (
  hash bytea primary key,
  -- null: whoever opens it becomes the first operator
  person_id int references person on delete cascade,
  purpose text not null check (purpose in ('first-operator', 'password', 'sign-in')),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  check ((person_id is null) = (purpose = 'first-operator'))
);
create index person_link_person on person_link (person_id);

-- Browsers that a person has signed in with: strangers who guess passwords never make these wait.
create table known_browser (
  person_id int not null references person on delete cascade,
  hash bytea not null,
  last_used_at timestamptz not null default now(),
  primary key (person_id, hash)
);

-- The console searches products by the beginning of their item number and by any part of their
-- title. Titles lie in this index by themselves, so that a search reads them and nothing else.
create index product_art_no on product (merchant_id, lower(art_no) text_pattern_ops, product_id);
create index product_title on product_detail (merchant_id, product_id) include (title);
