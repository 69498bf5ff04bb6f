-- How a configuration checks and normalises the fields of its records.

alter table compiler_configs
  add column field_checks jsonb not null default '[]',
  add column field_rules jsonb not null default '[]';

drop trigger compiler_configs_move_versions on compiler_configs;
create trigger compiler_configs_move_versions after update on compiler_configs for each row
  when ((old.required_fields, old.field_groups, old.field_priorities, old.column_names, old.field_checks, old.field_rules)
    is distinct from (new.required_fields, new.field_groups, new.field_priorities, new.column_names, new.field_checks,
      new.field_rules))
  execute function task_definition_changed();

drop trigger compiler_configs_record_setting_changes on compiler_configs;
create trigger compiler_configs_record_setting_changes after update on compiler_configs for each row
  when ((old.description, old.required_fields, old.field_groups, old.field_priorities, old.column_names, old.field_checks,
      old.field_rules)
    is distinct from (new.description, new.required_fields, new.field_groups, new.field_priorities, new.column_names,
      new.field_checks, new.field_rules))
  execute function record_setting_changes('task_id', 'description', 'required_fields', 'field_groups', 'field_priorities',
    'column_names', 'field_checks', 'field_rules');
