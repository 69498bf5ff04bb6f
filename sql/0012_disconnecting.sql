-- A grant on its way out: nothing works with it any more but the removal of what runs left in its owner's spreadsheets;
-- then Google is told to revoke it, and the row goes.
alter table grants
  add disconnecting_at timestamptz,
  -- Not before this moment is Google told; later each time that it does not answer.
  add revoke_at timestamptz;
create index grants_disconnecting_idx on grants (revoke_at) where disconnecting_at is not null;
