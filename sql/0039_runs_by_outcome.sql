-- Runs per day are counted by how they ended, from the index alone, however long the history.
drop index runs_finished_idx;
create index runs_finished_idx on runs (finished_at) include (state);
