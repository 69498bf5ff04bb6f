-- What a compiler configuration merges: source tasks in their order, one of them the master.

-- So that a reference may say of which category its task has to be.
alter table tasks add constraint tasks_category_key unique (id, category);

create table compiler_sources (
  compiler_config_id int not null references compiler_configs on delete cascade,
  source_task_id int not null,
  category text not null generated always as ('source') stored,
  position int not null,
  is_master boolean not null,
  primary key (compiler_config_id, source_task_id),
  -- Source tasks that are compiled stay.
  constraint compiler_sources_task_fkey foreign key (source_task_id, category) references tasks (id, category)
);
create index compiler_sources_task_idx on compiler_sources (source_task_id);
create unique index compiler_sources_master_key on compiler_sources (compiler_config_id) where is_master;
