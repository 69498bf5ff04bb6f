-- Who is responsible for a task, what colleagues should know about it (Markdown), and labels to filter by.
alter table tasks
  add column owner_id int constraint tasks_owner_fkey references users on delete set null,
  add column notes text not null default '' check (char_length(notes) <= 10000),
  -- Distinct without regard to case, at most 40 characters each.
  add column tags text[] not null default '{}' check (cardinality(tags) <= 20 and array_position(tags, null) is null);
create index tasks_owner_idx on tasks (owner_id) where owner_id is not null;
