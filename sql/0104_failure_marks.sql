-- Acknowledged and snoozed failures. A mark belongs to one cause: it ends when the next run ends with another cause, or well.

-- Message of the first warning of a run that is not acknowledged; null: there is none.
create function open_warning(task_id int, warnings jsonb) returns text language sql stable as $$
  select w.warning ->> 'message' from jsonb_array_elements($2) with ordinality as w (warning, place)
  where not exists (select from acknowledged_warnings a where a.task_id = $1 and a.warning_id = w.warning ->> 'id')
  order by w.place limit 1
$$;

-- What is wrong with a task whose last run ended this way; null if it is live or ended well. One expression, so that it is inlined.
create function reason_of_end(task_id int, state text, error text, message text, warnings jsonb, stop_asked_by text)
returns text language sql stable as $$
  select case
    when $2 in ('failed', 'error') then coalesce($3, '')
    when $2 = 'stopped' then coalesce($6, '')
    when $2 = 'warning' then coalesce(open_warning($1, $5), $4, '')
  end
$$;

-- Key by which failures are compared and grouped. Left out are parts that differ from task to task or from run to run: the tab in
-- "‘tab’ in ‘spreadsheet’" and "a tab called ‘tab’", cell addresses, numbers and hexadecimal ids outside of quotation marks.
create function failure_cause(kind text, reason text) returns text language sql immutable parallel safe as $$
  select md5(kind || ' ' || regexp_replace(
    regexp_replace(reason, '‘[^’]*’ in ‘|a tab called ‘[^’]*’', '‘', 'g'),
    '(‘[^’]*’)|\m(?:[A-Z]{0,3}\d[\d,.:]*|[0-9a-f]{8,}(?:-[0-9a-f]+)*)\M', '\1#', 'g'))
$$;

create function cause_of_end(task_id int, state text, error text, message text, warnings jsonb, stop_asked_by text)
returns text language sql stable as $$
  select failure_cause(case $2 when 'error' then 'failed' else $2 end, reason_of_end($1, $2, $3, $4, $5, $6))
$$;

create table failure_marks (
  task_id int primary key references tasks on delete cascade,
  kind text not null check (kind in ('acknowledged', 'snoozed')),
  -- Of failure_cause.
  cause text not null,
  user_id int not null references users on delete cascade,
  at timestamptz not null default clock_timestamp(),
  until timestamptz,
  constraint failure_marks_until_check check ((kind = 'snoozed') = (until is not null))
);
create index failure_marks_user_idx on failure_marks (user_id);
