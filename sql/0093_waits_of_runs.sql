-- What a run waited for while it was running, and between its attempts, with begin and end: the timeline draws waits lighter than work.
alter table runs
  add column wait_since timestamptz,
  -- [{for, from, to}], oldest first; `to` is null while a run waits for its next attempt.
  add column waits jsonb not null default '[]';

create function record_wait_of_run() returns trigger language plpgsql as $$
declare
  moment constant text := 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"';
  at text := to_char(clock_timestamp() at time zone 'UTC', moment);
  last int := jsonb_array_length(new.waits) - 1;
begin
  if old.wait is not null and old.wait_since is not null then
    -- A run keeps 200 waits; beyond that the last one is extended.
    if last >= 199 then
      new.waits := jsonb_set(new.waits, array[last::text, 'to'], to_jsonb(at));
    else
      new.waits := new.waits || jsonb_build_object('for', old.wait ->> 'for',
        'from', to_char(old.wait_since at time zone 'UTC', moment), 'to', at);
    end if;
  end if;
  new.wait_since := case when new.wait is not null then clock_timestamp() end;
  last := jsonb_array_length(new.waits) - 1;
  if old.state = 'queued' and new.state <> 'queued' and new.waits -> last ->> 'for' = 'retry' and new.waits -> last ->> 'to' is null then
    new.waits := jsonb_set(new.waits, array[last::text, 'to'], to_jsonb(at));
  elsif old.state in ('running', 'stopping') and new.state = 'queued' and new.attempt_started_at is null and last < 199 then
    new.waits := new.waits || jsonb_build_object('for', 'retry', 'from', at, 'to', null);
  end if;
  return new;
end $$;
-- A wait whose end is only estimated anew is the same wait.
create trigger runs_record_wait before update on runs for each row
  when ((old.wait ->> 'for') is distinct from (new.wait ->> 'for')
    or (old.attempts > 0 and old.state is distinct from new.state and 'queued' in (old.state, new.state)))
  execute function record_wait_of_run();
