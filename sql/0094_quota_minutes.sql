-- Requests under a quota, per minute, account and kind. Filled from quota_log when its rows are removed, kept as long as runs are.
create table quota_minutes (
  project text not null,
  minute timestamptz not null,
  kind text not null check (kind in ('read', 'write')),
  account text not null,
  requests int not null,
  primary key (project, minute, kind, account)
);
