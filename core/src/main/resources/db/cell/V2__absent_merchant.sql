-- No foreign key: the row remains when everything else of the merchant is gone.
create table absent_merchant (
  merchant_id int primary key,
  -- arriving: its rows are copied to this cell; left: it is, or was, moved to another cell
  state text not null check (state in ('arriving', 'left')),
  -- a pause ends by itself, in case the mover does not come back
  until timestamptz not null default 'infinity'
);
comment on table absent_merchant is
  'Merchant data: merchants whose rows in this cell must not be used, because they move or have moved.';

-- The rows of a merchant that has moved to another cell are deleted here.
create function audit_rows_have_moved() returns trigger language plpgsql as $$
begin
  if exists (
    select 1 from gone
    where merchant_id not in (select merchant_id from absent_merchant where until = 'infinity')
  ) then
    raise exception 'the audit log is append-only';
  end if;
  return null;
end $$;
drop trigger audit_append_only on audit;
create trigger audit_append_only before update or truncate on audit
for each statement execute function audit_is_append_only();
create trigger audit_deleted after delete on audit referencing old table as gone
for each statement execute function audit_rows_have_moved();
