-- What is older than the history is removed every few minutes. Rows come in by time, so these stay tiny.
create index log_entries_created_at_idx on log_entries using brin (created_at);
create index due_moments_due_at_idx on due_moments using brin (due_at);
