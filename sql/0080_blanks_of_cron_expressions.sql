-- Fields of a cron expression have single blanks between them, whichever blanks of Unicode they were typed or pasted with.
update task_types
set cron_schedule = nullif(btrim(regexp_replace(cron_schedule,
  U&'[\0009-\000D\0020\0085\00A0\1680\2000-\200A\2028\2029\202F\205F\3000\FEFF]+', ' ', 'g')), '')
where cron_schedule ~ U&'[\0009-\000D\0085\00A0\1680\2000-\200A\2028\2029\202F\205F\3000\FEFF]'
  or cron_schedule ~ '^ | $|  ';
