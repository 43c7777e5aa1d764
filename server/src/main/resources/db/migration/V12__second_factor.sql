-- Two-step verification: a person signs in with a password and a time-based code (RFC 6238).
alter table person
  -- encrypted like the secrets of applications; null: not set up
  add column totp_secret bytea,
  -- null until the person has confirmed the secret with a first code
  add column totp_confirmed_at timestamptz,
  -- the time step of the last code that was used: each code works once
  add column totp_last_step bigint not null default 0;

-- Each recovery code replaces one time-based code. Only SHA-256 hashes are stored; a used one is gone.
create table recovery_code (
  person_id int not null references person on delete cascade,
  hash bytea not null,
  primary key (person_id, hash)
);

-- Sign-ins that passed the first step and wait for a code. The id itself is only in a cookie.
create table sign_in_ticket (
  hash bytea primary key,
  person_id int not null references person on delete cascade,
  -- how the first step was passed, for the audit log
  method text not null check (method in ('password', 'link')),
  expires_at timestamptz not null
);
create index sign_in_ticket_person on sign_in_ticket (person_id);
