-- The first live run of each type that runs of dependent types wait for: previews change nothing, so no run waits for them.
create index runs_live_blocking_idx on runs (coalesce(task_type_id, 0), id)
  where state in ('queued', 'running', 'stopping') and not is_preview;
