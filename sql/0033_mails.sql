-- Mails that say that runs have failed: one row for each person who is told of a run, so that nobody is told twice and one
-- address that takes no mail does not hold up the others.
create table run_mails (
  run_id int not null references runs on delete cascade,
  recipient text not null,
  -- When it is tried next; null: it has left, or was given up.
  due_at timestamptz,
  attempts int not null default 0,
  primary key (run_id, recipient)
);
create index run_mails_due_idx on run_mails (due_at) where due_at is not null;

-- Failures that nobody has been told of are few and young.
create index runs_untold_idx on runs (finished_at) where state in ('failed', 'error') and mailed_at is null;

-- That the mail has left is part of what a source task shows.
drop trigger runs_announce_update on runs;
create trigger runs_announce_update after update on runs for each row
  when ((old.state, old.phase, old.rows_done, old.rows_total, old.wait, old.warnings, old.mailed_at)
    is distinct from (new.state, new.phase, new.rows_done, new.rows_total, new.wait, new.warnings, new.mailed_at))
  execute function announce_run();
