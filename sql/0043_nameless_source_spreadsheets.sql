-- When the name of a source task's spreadsheet is looked up, as of sync tasks; null: it has been, and its runs find out the rest.
alter table source_tasks add column names_due_at timestamptz default now();
create index source_tasks_nameless_idx on source_tasks (names_due_at)
  where source_type = 'sheet' and spreadsheet_name = '';
