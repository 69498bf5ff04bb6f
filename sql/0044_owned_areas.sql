-- Which cells of a target are its sync task's, so that nobody else's are written over (docs/decisions/054).
alter table sync_tasks
  -- The header row of what the last run left there; null: no run has filled the target.
  add column owned_start_row int,
  -- What runs have set out to write since then: a list of {start_row, columns, header}, recorded before it is written.
  add column intended jsonb not null default '[]',
  -- Cells of somebody else's, because of which a run was refused: {run_id, columns, cells, hash}.
  add column foreign_cells jsonb;

update sync_tasks set owned_start_row = start_row where owned_rows > 0;
