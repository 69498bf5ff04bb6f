-- A worker takes only runs whose folders it can open. A run names its folders when it is queued.

-- Null: a worker of an earlier release, which does not say what it has.
alter table workers
  add column mounts text[],
  -- Configured, but cannot be opened now.
  add column missing_mounts text[] not null default '{}';

alter table runs add column mounts text[] not null default '{}';
