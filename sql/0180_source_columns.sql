-- Names under which a source may deliver a column, set by a user. The name, place and values of a column are those of the current rows.

create table source_column_names (
  task_id int not null references source_tasks (task_id) on delete cascade,
  -- Name in the origin.
  column_name text not null,
  -- Name in the stored rows.
  read_as text not null,
  set_by text not null,
  set_at timestamptz not null default now()
);
-- Texts are hashed, because an index entry is limited to 2,704 bytes.
create unique index source_column_names_column_idx on source_column_names (task_id, md5(column_name));

-- Columns of waiting rows that are missing, renamed, new or shifted; null: none is missing, renamed or shifted.
alter table snapshots add column column_changes jsonb;

alter table approval_decisions drop constraint approval_decisions_kind_check;
alter table approval_decisions add constraint approval_decisions_kind_check
  check (kind in ('ingest_below_minimum', 'columns_changed', 'compile_beyond_limit', 'run_beyond_limit', 'unowned_cells'));
