-- What a compile compares a record with: a hash of its cells, so that those themselves need not be read. Records of the version before
-- have none; theirs are read.
alter table compiled_records add column fingerprint bigint;
alter table compiled_records alter column fingerprint set statistics 0;

-- A hash of all that a compile goes by: which rows of which sources, and every setting. The next one that goes by the same comes to
-- the same records, and shares the rows that are there. Null: it is not known, as in compiles of the version before.
alter table compiled_versions add column merged_from text,
  -- Of each source, the master's first, how many of its rows have no SKU: whoever shares the rows says so too.
  add column without_sku int[] not null default '{}';
