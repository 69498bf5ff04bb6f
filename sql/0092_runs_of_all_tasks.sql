-- Pages of the list of all runs, newest first, by the filters that select few of many runs. Each serves `order by id desc` alone.
-- Ended runs that did not succeed. Live runs have indexes of their own (0003, 0059), which this one must not compete with.
create index runs_outcome_idx on runs (state, id) where state in ('stopped', 'warning', 'failed', 'error');
create index runs_category_idx on runs (category, id);
create index runs_type_idx on runs (task_type_id, id);
create index runs_user_idx on runs (triggered_by, id) where triggered_by is not null;
-- Schedules start most runs.
create index runs_trigger_idx on runs (trigger, id) where trigger <> 'schedule';
-- Time ranges.
create index runs_queued_at_idx on runs (queued_at);
-- The log of one run.
create index log_entries_run_idx on log_entries (run_id, id) where run_id is not null;
