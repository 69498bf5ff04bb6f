-- A kind of failure for which pages offer a way out; null: none, or the run did not fail.
alter table runs add column failure_kind text;
