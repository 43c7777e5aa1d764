-- The nonces of signed requests, for as long as their timestamps are accepted: a request that comes
-- again is known by them, on whichever node. No foreign keys: a read must not wait for a lock here.
create table sign_nonce (
  merchant_id int not null,
  application_id int not null,
  nonce text not null,
  -- SHA-256 of everything that was signed
  request_hash bytea not null,
  seen_at timestamptz not null default now(),
  primary key (merchant_id, application_id, nonce)
);
create index sign_nonce_age on sign_nonce (seen_at);
