-- Tasks that a user marked as favourites: filters of the lists and notifications use them.
create table favourites (
  user_id int not null references users on delete cascade,
  task_id int not null references tasks on delete cascade,
  created_at timestamptz not null default now(),
  primary key (user_id, task_id)
);
create index favourites_task_idx on favourites (task_id);
