-- The queue's own word for a job that is handed out once more because its worker fell silent.
alter table runs rename column takeovers to redeliveries;
