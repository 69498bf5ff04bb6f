-- A compile warns of sources whose rows have not changed for so many days; null: of none.

alter table compiler_configs
  add column stale_days int constraint compiler_configs_stale_days_check check (stale_days between 1 and 3650);

drop trigger compiler_configs_move_versions on compiler_configs;
create trigger compiler_configs_move_versions after update on compiler_configs for each row
  when ((old.required_fields, old.field_groups, old.field_priorities, old.column_names, old.field_checks, old.field_rules,
      old.approval_percent, old.stale_days)
    is distinct from (new.required_fields, new.field_groups, new.field_priorities, new.column_names, new.field_checks,
      new.field_rules, new.approval_percent, new.stale_days))
  execute function task_definition_changed();

drop trigger compiler_configs_record_setting_changes on compiler_configs;
create trigger compiler_configs_record_setting_changes after update on compiler_configs for each row
  when ((old.description, old.required_fields, old.field_groups, old.field_priorities, old.column_names, old.field_checks,
      old.field_rules, old.approval_percent, old.stale_days)
    is distinct from (new.description, new.required_fields, new.field_groups, new.field_priorities, new.column_names,
      new.field_checks, new.field_rules, new.approval_percent, new.stale_days))
  execute function record_setting_changes('task_id', 'description', 'required_fields', 'field_groups', 'field_priorities',
    'column_names', 'field_checks', 'field_rules', 'approval_percent', 'stale_days');
