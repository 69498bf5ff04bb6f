-- Versions: plans that a run has written to its target. Their rows are kept, so that a change can be undone.

alter table plans
  -- When the run that made the plan had written it; null: it was not written. The plan is a version then.
  add column applied_at timestamptz,
  -- The version whose rows the plan restores; null: none.
  add column restores jsonb;
update plans p set applied_at = p.created_at from runs r
  where r.id = p.run_id and p.expires_at is null and r.state in ('success', 'warning');
create index plans_versions_idx on plans (task_id, id desc) where applied_at is not null;

alter table snapshots
  -- Cells of a target's rows that were formulas, as row numbers by column; null: unknown, or too many.
  add column formulas jsonb,
  -- Space that its rows take in the database; null until a version uses it.
  add column bytes bigint;
-- Rows that were not read from a target have no formulas.
update snapshots set formulas = '{}' where kind <> 'before';

-- The version that the last successful run restored; null: the target holds the source's rows.
alter table sync_tasks add column older_version jsonb;
