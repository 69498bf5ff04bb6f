-- What waits comes and goes between two looks of ANALYZE. Statistics of a quiet hour say that nothing does, and plans made on
-- them take every index of live runs for equally small: admission then read all that waits once for each type.
-- Without statistics the index with the narrower condition costs less, whatever the hour.
-- Setting a column's type anew is what removes the statistics it has; the tables are not rewritten.

drop trigger runs_announce_update on runs;
alter table runs alter column state set statistics 0, alter column state type text;
create trigger runs_announce_update after update on runs for each row
  when ((old.state, old.phase, old.rows_done, old.rows_total, old.wait, old.warnings, old.mailed_at)
    is distinct from (new.state, new.phase, new.rows_done, new.rows_total, new.wait, new.warnings, new.mailed_at))
  execute function announce_run();

alter table due_moments alter column outcome set statistics 0, alter column outcome type text;

-- When the next attempt of a failed run may start, which no notice tells.
create index runs_retry_idx on runs (not_before) where state = 'queued' and attempts > 0;
-- What is at work, however many wait. Rows lie in the order of their ids, which makes it the cheapest of all that could serve.
create index runs_at_work_idx on runs (id) where state in ('running', 'stopping');
