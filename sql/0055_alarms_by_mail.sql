-- Alarms may go to an address by mail; `host` is then that address.
alter table webhooks drop constraint webhooks_format_check;
alter table webhooks add constraint webhooks_format_check check (format in ('plain', 'slack', 'teams', 'mail'));
