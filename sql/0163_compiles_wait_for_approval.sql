-- A compile that changes or removes more of the former records than this share waits for an approval; null: none does.

alter table compiler_configs
  add column approval_percent int
    constraint compiler_configs_approval_percent_check check (approval_percent between 0 and 100);

drop trigger compiler_configs_move_versions on compiler_configs;
create trigger compiler_configs_move_versions after update on compiler_configs for each row
  when ((old.required_fields, old.field_groups, old.field_priorities, old.column_names, old.field_checks, old.field_rules,
      old.approval_percent)
    is distinct from (new.required_fields, new.field_groups, new.field_priorities, new.column_names, new.field_checks,
      new.field_rules, new.approval_percent))
  execute function task_definition_changed();

drop trigger compiler_configs_record_setting_changes on compiler_configs;
create trigger compiler_configs_record_setting_changes after update on compiler_configs for each row
  when ((old.description, old.required_fields, old.field_groups, old.field_priorities, old.column_names, old.field_checks,
      old.field_rules, old.approval_percent)
    is distinct from (new.description, new.required_fields, new.field_groups, new.field_priorities, new.column_names,
      new.field_checks, new.field_rules, new.approval_percent))
  execute function record_setting_changes('task_id', 'description', 'required_fields', 'field_groups', 'field_priorities',
    'column_names', 'field_checks', 'field_rules', 'approval_percent');

alter table approval_decisions drop constraint approval_decisions_kind_check;
alter table approval_decisions add constraint approval_decisions_kind_check
  check (kind in ('ingest_below_minimum', 'compile_beyond_limit', 'run_beyond_limit', 'unowned_cells'));
