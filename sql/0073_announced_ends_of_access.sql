-- Whoever is kept out, signs out, or loses a token: every process ends the replies that it owes them at once.

create function announce_ended_access() returns trigger language plpgsql as $$
begin
  perform pg_notify('rowferry', json_build_object('kind', 'access', 'user_id', user_id)::text)
  from (select distinct user_id from ended) as people;
  return null;
end $$;
create trigger sessions_announce_end after delete on sessions
  referencing old table as ended for each statement execute function announce_ended_access();
create trigger api_tokens_announce_end after delete on api_tokens
  referencing old table as ended for each statement execute function announce_ended_access();

create function announce_disabled_person() returns trigger language plpgsql as $$
begin
  perform pg_notify('rowferry', json_build_object('kind', 'access', 'user_id', new.id)::text);
  return null;
end $$;
create trigger users_announce_disabled after update of disabled_at on users for each row
  when (old.disabled_at is null and new.disabled_at is not null) execute function announce_disabled_person();
