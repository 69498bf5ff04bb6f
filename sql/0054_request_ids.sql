-- The request that asked for a run or a file, or did what is audited, as the log and error replies name it.
alter table runs add column request_id uuid;
alter table csv_jobs add column request_id uuid;
alter table audit_log add column request_id uuid;
