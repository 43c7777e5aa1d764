-- When an operator stopped the application. While this is set, every call of it is refused and no
-- token is issued for it; its tokens are kept, so that it can be resumed.
alter table application add column stopped_at timestamptz;
