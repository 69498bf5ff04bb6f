-- The header row of a sheet that a source task reads, counted from 1, as sync tasks have it.
alter table source_tasks add column start_row int not null default 1
  constraint source_tasks_start_row_check check (start_row >= 1);

-- It decides what a task reads, as its tab does: a change moves the version that a person confirms.
drop trigger source_tasks_move_versions on source_tasks;
create trigger source_tasks_move_versions after update on source_tasks for each row
  when ((old.source_type, old.provider, old.spreadsheet_id, old.start_row, old.connection_id, old.origin_task_id, old.min_rows_percent, old.max_rows)
    is distinct from (new.source_type, new.provider, new.spreadsheet_id, new.start_row, new.connection_id, new.origin_task_id, new.min_rows_percent, new.max_rows)
    or (old.sheet_name <> new.sheet_name and new.place is null))
  execute function task_definition_changed();
