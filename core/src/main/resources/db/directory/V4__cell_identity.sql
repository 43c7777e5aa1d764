-- The database of the cell stores the same value, so that another database at its address is noticed.
alter table cell add column identity uuid not null default gen_random_uuid() unique;
