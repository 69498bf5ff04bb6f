-- Files that users upload as the source of a source task, whose spreadsheet id is then Uploads/ID/NAME: decision 179.
create table uploaded_files (
  id int generated always as identity primary key,
  -- Null until a task is saved with it.
  task_id int references tasks on delete cascade,
  name text not null,
  -- Bytes.
  size int not null,
  user_id int references users on delete set null,
  uploaded_at timestamptz not null default now()
);
create index uploaded_files_task_idx on uploaded_files (task_id, id);
create index uploaded_files_user_idx on uploaded_files (user_id);

create table uploaded_file_parts (
  file_id int not null references uploaded_files on delete cascade,
  part_no int not null,
  content bytea not null,
  primary key (file_id, part_no)
);
-- Workbooks are compressed already.
alter table uploaded_file_parts alter column content set storage external;
