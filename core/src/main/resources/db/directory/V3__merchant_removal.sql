-- A server that stops in between leaves the rest of a removal to the others.
alter table merchant
  -- when an operator asked to remove the data of the closed merchant
  add column removal_requested_at timestamptz,
  -- when its data was gone
  add column removed_at timestamptz,
  add check (removal_requested_at is null or closed_at is not null),
  add check (removed_at is null or removal_requested_at is not null);
create index merchant_removal on merchant (merchant_id)
  where removal_requested_at is not null and removed_at is null;
