-- The start of a request under a quota, in one round trip: a process that freezes in the middle of it cannot keep the lock.
-- Returns whose it is, or after how many milliseconds there may be room; no row where no account may be used.
create function take_turn(
  -- Accounts that may be used; the earlier one where several are as busy.
  user_ids int[], addresses text[], of_project text, of_kind text, account_limit int, project_limit int, window_ms int
) returns table (user_id int, account text, wait_ms double precision) language plpgsql as $$
declare
  since timestamptz;
begin
  -- One at a time per project and kind: counting and recording must not interleave.
  perform pg_advisory_xact_lock(hashtextextended('quota ' || of_kind || ' ' || of_project, 0));
  -- Each statement sees what was recorded before it begins, which is after the lock is got.
  since := clock_timestamp() - window_ms * interval '1 millisecond';
  -- The n-th latest start decides: there is room once it has left the window. Served by quota_log_idx.
  return query
    with recent as materialized (
      select l.account as address, l.started_at from quota_log l
      where l.project = of_project and l.kind = of_kind and l.started_at > since
    ), candidate as (
      select allowed.user_id, allowed.address, allowed.place,
        (select count(*) from recent where recent.address = allowed.address) as starts,
        greatest(
          (select started_at from recent order by started_at desc offset project_limit - 1 limit 1),
          (select started_at from recent where recent.address = allowed.address
            order by started_at desc offset account_limit - 1 limit 1)
        ) as blocked_by
      from unnest(user_ids, addresses) with ordinality as allowed (user_id, address, place)
    ), chosen as (
      select c.user_id, c.address,
        coalesce(extract(epoch from c.blocked_by - clock_timestamp()) * 1000 + window_ms, 0)::double precision as wait_ms
      from candidate c order by c.blocked_by nulls first, c.starts, c.place limit 1
    ), started as (
      insert into quota_log (project, account, kind, started_at)
      select of_project, c.address, of_kind, clock_timestamp() from chosen c where c.wait_ms <= 0
    )
    select c.user_id, c.address, c.wait_ms from chosen c;
end
$$;
