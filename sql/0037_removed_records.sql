-- A version without some records that a person has removed shares the rows of the version of before.

-- Whose rows a version reads; null: its own. What is removed of them is a set as those of compiled versions: a bit for each row from
-- 1 on, the lowest of each byte first; bytes that are missing at the end are zero. `row_count` is without them.
alter table snapshots
  add column rows_of int,
  add column removed bytea not null default '',
  add constraint snapshots_rows_of_check check (rows_of is null or kind = 'compiled');
alter table snapshots alter column removed set storage external;
create index snapshots_rows_of_idx on snapshots (rows_of) where rows_of is not null;

-- It belongs to the rows, whoever reads them. Nothing has ever been written here.
alter table compiled_versions drop column removed;

-- Which version of each numbered source was merged, and in which of its columns each field is, counted from 0; null where it is in none.
alter table compiled_versions add column source_versions jsonb not null default '[]';
