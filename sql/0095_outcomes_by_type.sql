-- Pages of the runs of one type that did not succeed, newest first.
create index runs_type_outcome_idx on runs (task_type_id, state, id) where state in ('stopped', 'warning', 'failed', 'error');
