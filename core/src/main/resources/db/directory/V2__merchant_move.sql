-- The node that drives a move holds it by a lease. Another node continues after the lease has expired.
create table merchant_move (
  move_id int generated always as identity primary key,
  merchant_id int not null references merchant,
  from_cell int not null references cell,
  to_cell int not null references cell,
  phase text not null default 'waiting' check (phase in
    ('waiting', 'copying', 'catching-up', 'cleaning', 'cancelling', 'done', 'cancelled', 'failed')),
  -- what it waits for, or why it failed; empty: nothing
  message text not null default '',
  rows_copied bigint not null default 0,
  -- an estimate
  rows_total bigint not null default 0,
  actor text not null,
  created_at timestamptz not null default now(),
  -- from then on every node treats the merchant as one that is moving
  announced_at timestamptz,
  switched_at timestamptz,
  -- how long the merchant's writes waited for the switch
  pause_millis int,
  ended_at timestamptz,
  next_attempt_at timestamptz not null default now(),
  -- attempts to switch that found different rows in the two cells
  mismatches int not null default 0,
  holder uuid,
  lease_until timestamptz,
  check (from_cell <> to_cell),
  check ((ended_at is null) = (phase not in ('done', 'cancelled', 'failed')))
) with (fillfactor = 50);
create unique index merchant_move_open on merchant_move (merchant_id) where ended_at is null;
create index merchant_move_ended on merchant_move (ended_at);
comment on table merchant_move is
  'Directory: moves of merchants from one cell to another, running and ended.';
