-- A run whose rows PostgreSQL refused for a moment (disk, memory or connections used up, starting up) is tried again with growing pauses,
-- and counts no redelivery for it.
alter table runs
  -- Refusals since the last time that it got any further.
  add column refusals int not null default 0,
  add column refused_since timestamptz;
