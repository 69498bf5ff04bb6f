-- What only compiled rows have, beside the rows themselves.

-- A compile of a configuration: which versions of which sources it merged, and which of its records have a flag. Sets are bytea, one
-- bit for each record from the first on, the lowest of each byte first; bytes that are missing at the end are zero.
create table compiled_versions (
  snapshot_id int primary key references snapshots on delete cascade,
  compiler_config_id int not null references compiler_configs on delete cascade,
  -- The sources by the numbers that `field_sources`, `found_in` and `twice_in` use, counted from 1.
  sources jsonb not null,
  has_blanks bytea not null default '',
  has_errors bytea not null default '',
  is_duplicate bytea not null default '',
  -- Of records that a person has removed; their rows stay for those who read an earlier version.
  removed bytea not null default '',
  rows_read int not null default 0,
  added int not null default 0,
  changed int not null default 0,
  gone int not null default 0
);
alter table compiled_versions alter column has_blanks set storage external, alter column has_errors set storage external,
  alter column is_duplicate set storage external, alter column removed set storage external;

create table compiled_records (
  snapshot_id int not null,
  row_no int not null,
  sku text not null,
  -- A bit for each source that has the SKU, and for each that has it more than once: 30 in each element, the lowest first.
  found_in int[] not null,
  twice_in int[] not null,
  -- For each field the number of the source that filled it, 0 where it is blank.
  field_sources smallint[] not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (snapshot_id, row_no)
);
-- As for stored rows, whatever is found out about these is about others: all plans follow the keys.
alter table compiled_records alter column snapshot_id set statistics 0, alter column row_no set statistics 0,
  alter column sku set statistics 0, alter column found_in set statistics 0, alter column twice_in set statistics 0,
  alter column field_sources set statistics 0, alter column created_at set statistics 0,
  alter column updated_at set statistics 0;
-- Beginnings of a SKU are looked up too.
create index compiled_records_sku_idx on compiled_records (snapshot_id, sku text_pattern_ops);

alter table snapshots drop constraint snapshots_kind_check,
  add constraint snapshots_kind_check check (kind in ('copy', 'before', 'source', 'compiled'));
