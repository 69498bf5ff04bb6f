-- Only runs that did not succeed have an error: that of an earlier attempt is in the log.
update runs set error = null where state in ('success', 'warning', 'stopped') and error is not null;
