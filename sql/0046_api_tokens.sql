-- Tokens by which programs make calls as a person. The token itself is not kept, only its SHA-256.
create table api_tokens (
  id int generated always as identity primary key,
  user_id int not null references users on delete cascade,
  name text not null,
  access_right text not null check (access_right in ('read', 'run', 'edit')),
  token_hash bytea not null,
  -- The last characters, by which its owner knows it again.
  hint text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  last_used_at timestamptz,
  constraint api_tokens_token_hash_key unique (token_hash),
  constraint api_tokens_user_name_key unique (user_id, name)
);
