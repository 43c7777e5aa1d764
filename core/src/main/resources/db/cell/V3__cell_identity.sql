-- Empty in the directory's database, and until the cell is added or first opened. It does not belong to
-- a merchant: moves and backups leave it out.
create table cell_identity (
  identity uuid primary key,
  only_one boolean not null default true unique check (only_one)
);
comment on table cell_identity is 'Cell: which cell this database is.';
