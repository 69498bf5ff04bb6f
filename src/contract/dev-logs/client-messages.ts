/** Texts of the developer logs. */
export const devLogMessages = {
  // developer logs
  fetch_log_files_failed: 'Error fetching log files',
  log_file_not_found: 'Log file not found',
  fetch_dev_logs_failed: 'Error fetching logs',
  log_file_cleared: 'Log file cleared successfully',
  log_file_gone: 'Log file not found, nothing to clear',
  clear_dev_logs_failed: 'Error clearing logs',
  dev_logs_copied: 'Logs copied to clipboard',
  copy_dev_logs_failed: 'Failed to copy logs',
  confirm_clear_dev_logs: (file: string) =>
    `The log file “${file}” is cleared for all users. Its entries about past failures are lost.`,
  no_matching_lines: 'No line matches these filters',
  dev_logs_truncated: 'Only the end of this file is shown.',
} as const
