import { formatted } from '../counted.ts'

/** Texts of imports and exports. */
export const csvJobMessages = {
  // CSV
  upload_missing: 'Choose a file to upload.',
  upload_several: 'Upload one file at a time.',
  select_csv: 'Please select a CSV file',
  export_explained: 'All sync tasks in one file, which can be edited and imported again.',
  import_explained: 'Adds and changes sync tasks. Tasks are identified by type and name.',
  import_hint: 'UTF-8, at most 10 MB. Columns as in an export.',
  importing: (file: string) => `Importing ${file}`,
  no_imports: 'No imports yet',
  no_imports_hint: 'Each import is listed here with its result; refused rows can be saved as a file.',
  csv_too_large: 'File size must be less than 10MB',
  import_failed: (reason: string) => `Import failed: ${reason}`,
  server_error: (status: number) => `Server error: ${status}`,
  import_status_unknown: 'Import completed with unknown status',
  import_counts: (done: { created: number; updated: number; unchanged: number }) =>
    `${done.created} created, ${done.updated} updated, ${done.unchanged} unchanged`,
  rows_refused: (count: number) => `${formatted(count)} ${count === 1 ? 'row was' : 'rows were'} refused`,
  errors_shown: (shown: number, all: number) =>
    `Showing first ${formatted(shown)} of ${formatted(all)} errors…`,
  fetch_jobs_failed: 'Failed to fetch job status',
  download_failed: 'Failed to download file',
  rows_skipped: (count: number) => `${formatted(count)} skipped`,
  rows_exported: (count: number) => `${formatted(count)} ${count === 1 ? 'row' : 'rows'}`,
  rows_remarked: (count: number) => `${formatted(count)} ${count === 1 ? 'warning' : 'warnings'}`,
  invalid_file_format: 'Invalid file format',
  file_too_large_smaller: 'File too large. Please use a smaller file.',
  type_import_failed: 'Import failed. Please try again.',
  type_export_timed_out: 'Export timed out. Please try again.',
  type_export_failed: 'Export failed. Please try again.',
  type_export_completed: (job_id: number | null) =>
    `Export completed successfully!${job_id === null ? '' : ` Job ID: ${job_id}`}`,
  no_type_jobs: 'No imports or exports yet',
  no_type_jobs_hint: 'The last five are listed here with their results and downloads.',
  select_valid_csv: 'Please select a valid CSV file',
  select_import_file: 'Please select a file to import',
  import_successful: 'Import Successful',
  import_error: 'Import Error',
  import_validation_errors: (reasons: readonly string[]) => `Validation errors: ${reasons.join(', ')}`,
  import_file_failed: 'Failed to import file. Please check the format and try again.',
  import_csv_failed: 'Failed to import CSV',
  export_csv_failed: 'Failed to export CSV',
  run_task_group_failed: 'Failed to run task group',
  stop_task_group_failed: 'Failed to stop task group',
  import_columns:
    'Required columns: name, group_name, description. Optional columns: cron_schedule, priority, is_active, max_concurrent, timeout_minutes, max_retries, retry_delay.',
  import_columns_more:
    'Files of an export have more columns, and their own names for some; both are understood.',
  import_option_overwrite: 'Overwrite existing types with the same name',
  import_option_cron: 'Validate cron expressions before import',
  import_option_activate: 'Activate imported types automatically',
  import_size_hint: 'UTF-8, at most 10 MB.',
  job_progress: (rows: number) => (rows === 0 ? 'Waiting' : `${formatted(rows)} rows so far`),
  import_waits: 'The import continues after this dialog is closed.',
} as const
