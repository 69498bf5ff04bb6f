-- The cause of a run that did not end well is stored when it ends: computing it takes 50 µs, and Home groups the last runs of all tasks
-- by it. A migration that changes failure_cause must update the last runs, as below.

-- Of cause_of_end, without acknowledged warnings, which change later; null: the run ended well or is live.
alter table runs add column cause text;

create function store_cause_of_run() returns trigger language plpgsql as $$
begin
  new.cause := cause_of_end(null, new.state, new.error, new.message, new.warnings, new.stop_asked_by);
  return new;
end $$;
create trigger runs_store_cause before insert or update of state, error, message, warnings, stop_asked_by on runs for each row
  when (new.state not in ('queued', 'running', 'stopping')) execute function store_cause_of_run();

-- Earlier runs are not grouped.
update runs r set cause = cause_of_end(null, r.state, r.error, r.message, r.warnings, r.stop_asked_by)
from tasks t where r.id = t.last_run_id and r.state in ('stopped', 'warning', 'failed', 'error');
