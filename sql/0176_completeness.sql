-- Which fields the records of a compiled configuration need for a target, and how many records have them.

-- {fields, only_complete}; null: completeness is not measured.
alter table sync_tasks add column completeness jsonb;

drop trigger sync_tasks_record_setting_changes on sync_tasks;
create trigger sync_tasks_record_setting_changes after update on sync_tasks for each row
  when ((old.source_type, old.source_ss_id, old.source_sheet_name, old.target_ss_id, old.target_sheet_name,
      old.source_compiler_config_id, old.sync_preset_id, old.start_row, old.limits, old.columns, old.include_new_columns, old.filter,
      old.sort_by, old.max_rows, old.extra_columns, old.write_mode, old.key_columns, old.on_missing, old.mark_column, old.mark_text,
      old.on_bad_keys, old.find_columns_by_header, old.on_cells_beside, old.more_sources, old.split_by, old.split_tab_name,
      old.target_csv_delimiter, old.target_csv_encoding, old.completeness)
    is distinct from (new.source_type, new.source_ss_id, new.source_sheet_name, new.target_ss_id, new.target_sheet_name,
      new.source_compiler_config_id, new.sync_preset_id, new.start_row, new.limits, new.columns, new.include_new_columns, new.filter,
      new.sort_by, new.max_rows, new.extra_columns, new.write_mode, new.key_columns, new.on_missing, new.mark_column, new.mark_text,
      new.on_bad_keys, new.find_columns_by_header, new.on_cells_beside, new.more_sources, new.split_by, new.split_tab_name,
      new.target_csv_delimiter, new.target_csv_encoding, new.completeness))
  execute function record_setting_changes('task_id', 'source_type', 'source_ss_id', 'source_sheet_name', 'target_ss_id',
    'target_sheet_name', 'source_compiler_config_id', 'sync_preset_id', 'start_row', 'limits', 'columns', 'include_new_columns',
    'filter', 'sort_by', 'max_rows', 'extra_columns', 'write_mode', 'key_columns', 'on_missing', 'mark_column', 'mark_text',
    'on_bad_keys', 'find_columns_by_header', 'on_cells_beside', 'more_sources', 'split_by', 'split_tab_name',
    'target_csv_delimiter', 'target_csv_encoding', 'completeness');

-- What is known about the records of a version, by the fields that they need.
create table compiled_completeness (
  snapshot_id int not null references compiled_versions on delete cascade,
  -- MD5 of the fields.
  fields_hash text not null,
  complete int not null,
  -- For each field that some records lack: {field, records}.
  missing jsonb not null,
  -- Bit set of the incomplete records.
  incomplete bytea not null,
  primary key (snapshot_id, fields_hash)
);
alter table compiled_completeness alter column incomplete set storage external;
