-- What is found out about compiled rows when somebody first asks for it, by the version whose rows they are; without foreign keys, since
-- rows outlive the version that they came with. Orphans are pruned in the background.

-- Rows for which something holds, as sets of rows are kept everywhere.
create table compiled_sets (
  snapshot_id int not null,
  name text not null,
  rows bytea not null,
  created_at timestamptz not null default now(),
  primary key (snapshot_id, name)
);
alter table compiled_sets alter column rows set storage external;

-- All SKUs in their order, in lower case, so many in each part, each with a \x01 behind it: a search looks through texts.
create table compiled_sku_parts (
  snapshot_id int not null,
  -- From 0.
  part_no int not null,
  skus text not null,
  primary key (snapshot_id, part_no)
);
alter table compiled_sku_parts alter column skus set storage external;

-- Of each field how many records it is blank in and which sources fill it in how many, and the largest moves of numbers since the
-- compile before.
create table compiled_quality (
  snapshot_id int primary key,
  fields jsonb not null,
  moves jsonb not null
);
