-- People, what they granted, and their sessions.

create table users (
  id int generated always as identity primary key,
  issuer text not null,
  subject text not null,
  email text not null,
  name text not null,
  picture text,
  hosted_domain text,
  -- Opted in: colleagues' tasks may use this person's grant when they name the address.
  shares_grant boolean not null default false,
  disabled_at timestamptz,
  last_sign_in_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  constraint users_issuer_subject_key unique (issuer, subject)
);
create index users_email_idx on users (lower(email));

create table grants (
  user_id int primary key references users on delete cascade,
  -- AES-256-GCM under a key derived from SECRET_KEY; key_id tells which.
  refresh_token bytea not null,
  key_id text not null,
  scopes text[] not null,
  revoked_at timestamptz,
  updated_at timestamptz not null default now()
);

create table sessions (
  -- SHA-256 of the id in the cookie: a dump of this table opens no session.
  id_hash bytea primary key,
  user_id int not null references users on delete cascade,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index sessions_user_id_idx on sessions (user_id);
create index sessions_expires_at_idx on sessions (expires_at);

create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  user_id int,
  actor text not null,
  action text not null,
  object_type text not null,
  object_id text,
  details jsonb not null default '{}',
  result text not null
);
create index audit_log_object_idx on audit_log (object_type, object_id, id desc);

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is insert only';
end $$;
create trigger audit_log_insert_only before update or delete or truncate on audit_log
  for each statement execute function refuse_audit_change();
