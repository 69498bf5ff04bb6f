-- What the task wrote before the plan of a preview, and what it will have written with it, as in written_rows; null: its rows are not matched.

alter table plans
  add column written_before bytea,
  add column written_after bytea;
