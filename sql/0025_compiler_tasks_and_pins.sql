-- A compiler configuration is a task: its name, whether it is active, its runs and its current rows are where those of every
-- other task are. Its own id stays what foreign keys, files and `config-3` call it by.

alter table compiler_configs add column task_id int;
update compiler_configs set task_id = nextval(pg_get_serial_sequence('tasks', 'id'));

-- The type through which a configuration is compiled on a schedule: one each, where there were several the oldest.
update task_types set compiler_config_id = null where category <> 'compiler';
update task_types t set compiler_config_id = null from task_types older
where older.compiler_config_id = t.compiler_config_id and older.id < t.id;
alter table task_types
  add constraint task_types_compiler_config_check check (compiler_config_id is null or category = 'compiler'),
  add constraint task_types_compiler_config_key unique (compiler_config_id);

insert into tasks (id, category, task_type_id, name, sort_order, is_active, chunk_size, created_at, updated_at)
overriding system value
select c.task_id, 'compiler', t.id, c.name, row_number() over (order by c.name), c.is_active, coalesce(t.chunk_size, 1),
  c.created_at, c.updated_at
from compiler_configs c left join task_types t on t.compiler_config_id = c.id;

alter table compiler_configs
  alter column task_id set not null,
  add constraint compiler_configs_task_key unique (task_id),
  add constraint compiler_configs_task_fkey foreign key (task_id) references tasks on delete cascade,
  drop column name, drop column is_active, drop column created_at, drop column updated_at;
-- Whichever type they have.
create unique index compiler_configs_name_key on tasks (name) where category = 'compiler';

-- What a type says of its configuration is what the engine reads of that task. Who deletes a type detaches it before.
create function attach_compiler_config() returns trigger language plpgsql as $$
begin
  update tasks set task_type_id = null where task_type_id = new.id and category = 'compiler';
  update tasks set task_type_id = new.id, chunk_size = new.chunk_size
  where id = (select task_id from compiler_configs where id = new.compiler_config_id);
  return null;
end $$;
create trigger task_types_attach_config_insert after insert on task_types for each row
  when (new.compiler_config_id is not null) execute function attach_compiler_config();
create trigger task_types_attach_config_update after update of compiler_config_id on task_types for each row
  when (old.compiler_config_id is distinct from new.compiler_config_id) execute function attach_compiler_config();

-- Whoever reads stored rows keeps them until then, and sets this anew while reading on: one that dies keeps nothing.
alter table snapshots add column pinned_until timestamptz not null default now();
