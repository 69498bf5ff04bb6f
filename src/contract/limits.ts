/** Constants and limits of the product. Times in milliseconds unless the name says otherwise. */
export const limits = {
  auth_cache_ms: 30_000,
  tasks_page_size: 400,
  /** Tasks that one call acts on. */
  bulk_tasks_max: 10_000,
  /** Tasks whose use of the quota one call adds up: as many ids as a body holds. */
  quota_tasks_max: 100_000,
  /** Above so many tasks a press that runs them asks first. */
  run_unasked_max: 20,
  status_poll_ms: 12_000,
  full_refresh_ms: 60_000,
  chunk_size_default: 1000,
  chunk_size_after_save: 2000,
  start_row_default: 1,
  scheduled_times_default: ['04:00', '23:00'],
  logs_page_size: 400,
  logs_max: 5000,
  runs_page_size: 20,
  runs_page_size_max: 500,
  history_days_default: 90,
  data_page_size: 500,
  data_scroll_threshold_px: 100,
  data_default_columns: 20,
  /** Pages of copied data that a browser keeps beside those in sight. */
  data_pages_kept: 20,
  toggle_lock_ms: 500,
  refresh_after_stop_ms: 1000,
  /** Runs held up by a quota from which on the list says so. */
  hold_up_shown: 5,
  hold_up_lingers_ms: 10_000,
  toast_ms: 3000,
  error_toast_ms: 8000,
  csv_toast_ms: 16_000,
  status_summary_shown: 3,
  status_summary_more: 5,
  name_characters: 100,
  spreadsheet_id_characters: 15,
  /** Google's own limit for a tab's title. */
  sheet_name_characters: 100,
  json_body_bytes: 1_048_576,
  csv_bytes: 10_485_760,
  csv_columns: 200,
  /** Blank lines and the header included. 10 MB of tasks are no more than this. */
  csv_rows: 250_000,
  csv_record_characters: 1_000_000,
  csv_errors_shown: 100,
  /** How often a file is begun that ends the process which reads it. */
  csv_attempts: 3,
  csv_poll_ms: 1500,
  /** An import's result is shown for so long before its dialog closes. */
  csv_jobs_shown: 5,
  csv_jobs_max: 100,
  chunk_size_max: 100_000,
  scheduled_times_max: 1440,
  schedule_timeout_ms: 45_000,
  types_timeout_ms: 45_000,
  types_export_timeout_ms: 30_000,
  schedule_refresh_ms: 15_000,
  /** A scheduler says every five seconds that it lives. */
  heartbeat_fresh_seconds: 60,
  heartbeat_late_seconds: 300,
  /** Seconds between two looks at the schedules for what no notification told. What is due starts at its moment in any case. */
  check_interval_default: 60,
  check_interval_min: 5,
  check_interval_max: 3600,
  next_scheduled: 20,
  next_scheduled_max: 1000,
  next_scheduled_hours_max: 168,
  upcoming_shown: 50,
  trigger_characters: 100,
  /** What a caller that names no trigger is called in the history of runs. */
  trigger_default: 'Manual API',
  /** Rows a Google sheet can have at all: 10,000,000 cells in one column. */
  start_row_max: 10_000_000,
  accounts_max: 100,
  field_name_characters: 1000,
  excluded_fields_max: 1000,
  dependencies_max: 10,
  /** Names of a dependency chain that a list gives. */
  dependency_chain_shown: 50,
  description_characters: 512,
  cron_characters: 200,
  compiler_sources_max: 100,
  /** A statement answers 1,664 columns at most. */
  compiled_fields_max: 1000,
  /** Columns that a configuration reads under another name. */
  column_names_max: 5000,
  /** How long a call waits for a compile. */
  compile_wait_ms: 40_000,
  compiled_page_size: 20,
  compiled_page_max: 999_999,
  unmatched_page_max: 100,
  unmatched_candidates: 3,
  source_csv_bytes: 5_242_880,
  source_import_poll_ms: 1000,
  source_import_timeout_ms: 120_000,
  source_timeout_ms: 45_000,
  source_data_page_size: 100,
  source_columns_max: 10_000,
  source_rows_max: 5_000_000,
  /** A task whose rows were fetched, or edited, within so many minutes is recent. */
  source_recent_minutes: 60,
  source_logs_refresh_ms: 5000,
  source_list_refresh_ms: 12_000,
  /** How often tasks under way are asked for where no event stream tells. */
  source_poll_ms: 2000,
  /** Polls in a row that may fail before an import is given up on. */
  source_poll_failures: 3,
  source_data_page_sizes: [50, 100, 250, 500],
  /** Columns that View Data shows. */
  source_data_columns: 50,
  /** Rows older than this are shown as old. */
  source_stale_hours: 48,
  min_rows_percent_default: 50,
  connection_text_characters: 2000,
  connection_values_max: 50,
  header_name_characters: 100,
  /** Some clouds hand out one file with the authorities of all their regions. */
  certificates_characters: 300_000,
  url_characters: 4000,
  request_body_characters: 100_000,
  statement_characters: 100_000,
  statement_seconds_default: 300,
  statement_seconds_max: 86_400,
  page_rows_default: 100,
  page_rows_max: 100_000,
  /** A JSON reply is held whole up to here; CSV is streamed up to the other. */
  reply_bytes_max: 52_428_800,
  csv_reply_bytes_max: 1_073_741_824,
  origin_request_seconds: 30,
  test_pages_max: 5,
  /** Of a reply that a test holds whole; a run takes more. */
  test_reply_bytes_max: 16_777_216,
  test_rows_shown: 20,
  test_cell_characters: 1000,
  reply_shown_characters: 20_000,
  /** Of what uses a compiler configuration, named where it cannot be deleted. */
  users_named: 5,
  types_max: 100_000,
  /** Longer values of a compiled record are cut in lists, to this many characters and dots. */
  compiled_text_shown: 100,
  compiled_text_cut: 97,
  copy_notice_ms: 2000,
  drag_animation_ms: 200,
  /** What the form of a source task type lets a person set; its retry delay is in minutes. */
  form_concurrent_max: 100,
  form_retries_max: 10,
  retry_delay_seconds_max: 86_400,
  timeout_minutes_max: 1440,
  source_type_cron_default: '0 2 * * *',
} as const
