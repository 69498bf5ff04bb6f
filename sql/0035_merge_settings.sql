-- How a configuration merges beyond the order of its sources, and what a compile remembers of what it merged.

alter table compiler_configs
  add column required_fields jsonb not null default '[]',
  add column field_groups jsonb not null default '[]',
  add column field_priorities jsonb not null default '[]',
  add column column_names jsonb not null default '[]';

-- What a source calls a SKU that the others know by another one. Those of a source that is taken out wait for it to come back.
create table compiler_sku_mappings (
  compiler_config_id int not null references compiler_configs on delete cascade,
  source_task_id int not null,
  category text not null generated always as ('source') stored,
  sku text not null,
  master_sku text not null,
  primary key (compiler_config_id, source_task_id, sku),
  constraint compiler_sku_mappings_task_fkey foreign key (source_task_id, category) references tasks (id, category) on delete cascade
);
create index compiler_sku_mappings_task_idx on compiler_sku_mappings (source_task_id);

-- Which of the fields had to be filled; none: all of them.
alter table compiled_versions add column required_fields jsonb not null default '[]';

-- The row of each numbered source that a record was merged from, 0 where it has none; empty in records that were kept from an
-- earlier compile, and in those from before this was remembered.
alter table compiled_records add column source_rows int[] not null default '{}';
alter table compiled_records alter column source_rows set statistics 0;
