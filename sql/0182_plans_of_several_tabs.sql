-- Plans of sync tasks that write a tab per value: one plan, with a part for each tab.

alter table plans
  -- It has a part for each tab, and no rows of its own.
  add column is_split boolean not null default false,
  -- The plan that it is a part of; null: it is none.
  add column whole_id int references plans on delete cascade,
  -- The value of the part's tab.
  add column split_value text,
  add constraint plans_part_check check ((whole_id is null) = (split_value is null) and not (is_split and whole_id is not null));
create index plans_parts_idx on plans (whole_id) where whole_id is not null;
create index plans_values_idx on plans (task_id, split_value, id desc) where split_value is not null;
