-- Filters of a list under a name: query parameters of its page.
create table saved_views (
  id int generated always as identity primary key,
  user_id int not null references users on delete cascade,
  list text not null check (list in ('sync', 'source', 'runs')),
  name text not null,
  query text not null,
  -- Other users may choose it, too.
  is_shared boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index saved_views_name_key on saved_views (user_id, list, lower(name));
create index saved_views_shared_idx on saved_views (list) where is_shared;
