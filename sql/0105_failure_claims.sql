-- "I am on it": who works on a failure. A claim ends like a mark.
create table failure_claims (
  task_id int primary key references tasks on delete cascade,
  user_id int not null references users on delete cascade,
  at timestamptz not null default clock_timestamp(),
  cause text not null
);
create index failure_claims_user_idx on failure_claims (user_id);

create function end_failure_marks() returns trigger language plpgsql as $$
declare
  ended_with text := cause_of_end(new.task_id, new.state, new.error, new.message, new.warnings, new.stop_asked_by);
begin
  delete from failure_marks m where m.task_id = new.task_id and m.cause is distinct from ended_with;
  delete from failure_claims c where c.task_id = new.task_id and c.cause is distinct from ended_with;
  return null;
end $$;
create trigger runs_end_failure_marks after update of state on runs for each row
  when (new.state in ('success', 'warning', 'failed', 'error', 'stopped') and old.state is distinct from new.state
    and new.task_id is not null)
  execute function end_failure_marks();
