-- How the rows of a sync task come into its target. Columns are named by their headers in the target.

alter table sync_tasks
  add column write_mode text not null default 'replace'
    constraint sync_tasks_write_mode_check check (write_mode in ('replace', 'update', 'append')),
  -- Columns that identify a row.
  add column key_columns jsonb not null default '[]',
  -- What happens to rows that the task wrote and its source no longer has.
  add column on_missing text not null default 'keep'
    constraint sync_tasks_on_missing_check check (on_missing in ('keep', 'clear', 'mark')),
  add column mark_column text,
  add column mark_text text not null default 'Missing since {date}',
  add column on_bad_keys text not null default 'fail'
    constraint sync_tasks_on_bad_keys_check check (on_bad_keys in ('fail', 'skip')),
  add column find_columns_by_header boolean not null default false,
  -- Null, for tasks of earlier releases: a warning, until a person saves the task.
  add column on_cells_beside text
    constraint sync_tasks_on_cells_beside_check check (on_cells_beside in ('fail', 'warn')),
  -- Sources behind the first one.
  add column more_sources jsonb not null default '[]',
  -- Column whose values are written to a tab each; null: all rows are written to one tab.
  add column split_by text,
  add column split_tab_name text not null default '{value}';

alter table sync_tasks alter column on_cells_beside set default 'fail';

drop trigger sync_tasks_record_setting_changes on sync_tasks;
create trigger sync_tasks_record_setting_changes after update on sync_tasks for each row
  when ((old.source_type, old.source_ss_id, old.source_sheet_name, old.target_ss_id, old.target_sheet_name,
      old.source_compiler_config_id, old.sync_preset_id, old.start_row, old.limits, old.columns, old.include_new_columns, old.filter,
      old.sort_by, old.max_rows, old.extra_columns, old.write_mode, old.key_columns, old.on_missing, old.mark_column, old.mark_text,
      old.on_bad_keys, old.find_columns_by_header, old.on_cells_beside, old.more_sources, old.split_by, old.split_tab_name)
    is distinct from (new.source_type, new.source_ss_id, new.source_sheet_name, new.target_ss_id, new.target_sheet_name,
      new.source_compiler_config_id, new.sync_preset_id, new.start_row, new.limits, new.columns, new.include_new_columns, new.filter,
      new.sort_by, new.max_rows, new.extra_columns, new.write_mode, new.key_columns, new.on_missing, new.mark_column, new.mark_text,
      new.on_bad_keys, new.find_columns_by_header, new.on_cells_beside, new.more_sources, new.split_by, new.split_tab_name))
  execute function record_setting_changes('task_id', 'source_type', 'source_ss_id', 'source_sheet_name', 'target_ss_id',
    'target_sheet_name', 'source_compiler_config_id', 'sync_preset_id', 'start_row', 'limits', 'columns', 'include_new_columns',
    'filter', 'sort_by', 'max_rows', 'extra_columns', 'write_mode', 'key_columns', 'on_missing', 'mark_column', 'mark_text',
    'on_bad_keys', 'find_columns_by_header', 'on_cells_beside', 'more_sources', 'split_by', 'split_tab_name');
