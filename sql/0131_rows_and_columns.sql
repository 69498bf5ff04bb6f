-- Which rows and columns of its source a sync task copies.

alter table sync_tasks
  -- Chosen columns of the source with their names in the target, in order; null: all.
  add column columns jsonb,
  -- Whether columns that are new in the source are copied behind the chosen ones.
  add column include_new_columns boolean not null default false,
  -- Conditions that rows must meet; null: none.
  add column filter jsonb,
  add column sort_by jsonb not null default '[]',
  -- Null: all.
  add column max_rows int constraint sync_tasks_max_rows_check check (max_rows > 0),
  -- Columns that the source does not have.
  add column extra_columns jsonb not null default '[]';

drop trigger sync_tasks_record_setting_changes on sync_tasks;
create trigger sync_tasks_record_setting_changes after update on sync_tasks for each row
  when ((old.source_type, old.source_ss_id, old.source_sheet_name, old.target_ss_id, old.target_sheet_name,
      old.source_compiler_config_id, old.sync_preset_id, old.start_row, old.limits, old.columns, old.include_new_columns, old.filter,
      old.sort_by, old.max_rows, old.extra_columns)
    is distinct from (new.source_type, new.source_ss_id, new.source_sheet_name, new.target_ss_id, new.target_sheet_name,
      new.source_compiler_config_id, new.sync_preset_id, new.start_row, new.limits, new.columns, new.include_new_columns, new.filter,
      new.sort_by, new.max_rows, new.extra_columns))
  execute function record_setting_changes('task_id', 'source_type', 'source_ss_id', 'source_sheet_name', 'target_ss_id',
    'target_sheet_name', 'source_compiler_config_id', 'sync_preset_id', 'start_row', 'limits', 'columns', 'include_new_columns',
    'filter', 'sort_by', 'max_rows', 'extra_columns');

alter table snapshots
  -- Of copies of chosen or sorted rows, for each data row its data row in the source, both counted from 1; null: the same rows.
  add column source_rows int[];
