-- Bulk calls on tasks: their replies, for requests repeated with the same Idempotency-Key, and what undoing them restores.
create table bulk_calls (
  id int primary key generated always as identity,
  user_id int not null references users on delete cascade,
  -- {id, email, token}: for the audit log of a deletion that is carried out later.
  actor jsonb not null,
  action text not null,
  idempotency_key text,
  -- SHA-256 of the parsed body.
  body_hash bytea not null,
  -- Set before the transaction that inserts the row commits.
  reply jsonb,
  -- Reply of the undo, or of the deletion that was carried out.
  end_reply jsonb,
  end_state text check (end_state in ('undone', 'carried_out')),
  created_at timestamptz not null default now(),
  -- Null: cannot be undone.
  undo_until timestamptz,
  -- When a deletion is carried out; null for other actions.
  due_at timestamptz,
  constraint bulk_calls_idempotency_key unique (user_id, idempotency_key),
  constraint bulk_calls_end_check check ((end_state is null) = (end_reply is null))
);
create index bulk_calls_due_idx on bulk_calls (due_at) where end_state is null and due_at is not null;
create index bulk_calls_created_idx on bulk_calls (created_at);

-- The tasks that a bulk call changed, or that it will delete.
create table bulk_changes (
  bulk_id int not null references bulk_calls on delete cascade,
  -- No foreign key: deleting thousands of tasks would search this table for each.
  task_id int not null,
  -- Former values of the changed columns.
  former jsonb not null,
  -- Version of the task after the change: an undo does not overwrite a later edit.
  updated_at timestamptz not null,
  primary key (bulk_id, task_id)
);
