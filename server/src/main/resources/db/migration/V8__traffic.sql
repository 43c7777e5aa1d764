-- How many calls of the interface there were, and how long they took: a row for each minute and
-- outcome; of older times a row for each hour, at its first minute. Merchant 0 counts every call of
-- the server, known callers or not. Nodes add to the same rows. No foreign keys: counting a call must
-- never wait for anything.
create table traffic (
  merchant_id int not null,
  at timestamptz not null,
  application_id int not null,
  endpoint text not null,
  status smallint not null,
  -- why it was no success; else empty
  code text not null,
  calls bigint not null,
  -- those that the request log did not keep
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

-- Calls with what was sent and answered, secrets masked, bodies cut. Merchant 0: nobody knows whose it
-- was. Those who write take turns, so that ids are given in the order in which they become visible.
create table request_log (
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
  -- null where it was not read, as the call was refused before that
  body bytea,
  body_bytes int not null,
  answer bytea not null,
  answer_bytes int not null,
  primary key (merchant_id, id)
);
create index request_log_newest on request_log (id);
-- what went wrong is looked for among many successes
create index request_log_refused on request_log (id) where code <> '';
create index request_log_request on request_log (request_id);
create index request_log_age on request_log (at);

-- The servers on this database, as each says of itself every few seconds.
create table node (
  node_id uuid primary key,
  name text not null,
  version text not null,
  started_at timestamptz not null,
  seen_at timestamptz not null,
  connections int not null,
  connections_in_use int not null,
  callers_waiting int not null,
  pulse_micros bigint not null
) with (fillfactor = 50);
