/** Constants and limits. Times are in milliseconds unless the name says otherwise. */
export const limits = {
  auth_cache_ms: 30_000,
  tasks_page_size: 400,
  /** Maximum number of tasks per bulk call. */
  bulk_tasks_max: 10_000,
  /** Maximum number of previews that one call starts or reads: each keeps two copies of its table for a day. */
  previews_max: 500,
  /** How long a page offers to undo a bulk call; the server accepts it for one second more. */
  undo_ms: 10_000,
  /** While tasks are about to be deleted, pages read that list this often. */
  leaving_refresh_ms: 2_000,
  /** Days until which a failure can be snoozed. */
  snooze_days_max: 92,
  cause_characters: 64,
  /** A visit ends after this time without activity. */
  visit_pause_minutes: 30,
  /** How often a page reports activity at most. */
  visit_report_ms: 300_000,
  /** Days that the news since the last visit covers. */
  news_days_max: 92,
  attention_page: 100,
  attention_page_max: 1000,
  idempotency_key_characters: 200,
  /** Maximum number of tasks in a quota estimate, by the size of a body. */
  quota_tasks_max: 100_000,
  /** Running more tasks than this requires a confirmation. */
  run_without_confirmation_max: 20,
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
  /** Maximum number of runs per call that names them. */
  runs_named_max: 400,
  /** Maximum number of runs that a page of the list filters. */
  runs_scanned: 2500,
  runs_search_characters: 200,
  search_characters: 200,
  search_results: 8,
  search_results_max: 50,
  search_delay_ms: 150,
  /** Newest log lines that the report of a run has. */
  run_report_lines: 400,
  /** Runs that wait for a run, named in its report. */
  run_report_named: 10,
  timeline_runs: 20_000,
  timeline_days: 31,
  quota_bucket_minutes_max: 1440,
  history_days_default: 90,
  conditions_max: 50,
  condition_values_max: 500,
  condition_characters: 1000,
  /** Columns that a sync task can choose, and adds itself. */
  chosen_columns_max: 500,
  extra_columns_max: 20,
  sort_columns_max: 5,
  /** Columns that identify a row of a target. */
  key_columns_max: 10,
  /** Sources of a sync task behind its first one. */
  further_sources_max: 50,
  /** Tabs that one sync task writes. */
  split_tabs_max: 200,
  /** Rows of a source that the editor looks at, and those it shows. */
  sample_rows: 20_000,
  sample_cells: 1_000_000,
  // Rows of several sources are counted for so long.
  sample_count_ms: 8_000,
  sample_rows_shown: 5,
  sample_ms: 20_000,
  sample_delay_ms: 400,
  sample_fresh_ms: 60_000,
  versions_per_task_default: 20,
  versions_mb_default: 2_000,
  data_page_size: 500,
  data_scroll_threshold_px: 100,
  data_default_columns: 20,
  /** Cached pages of copied data in the browser, in addition to the visible ones. */
  data_pages_kept: 20,
  toggle_lock_ms: 500,
  refresh_after_stop_ms: 1000,
  /** The list shows a quota backlog from this number of runs on. */
  quota_backlog_shown: 5,
  quota_backlog_lingers_ms: 10_000,
  toast_ms: 3000,
  error_toast_ms: 8000,
  csv_toast_ms: 16_000,
  status_summary_shown: 3,
  status_summary_more: 5,
  name_characters: 100,
  file_path_characters: 500,
  /** Size of an uploaded file. */
  uploaded_file_bytes: 52_428_800,
  /** Uploaded files that a task keeps, in addition to the one that it reads. */
  uploaded_files_kept: 10,
  uploaded_name_characters: 200,
  /** A year. */
  file_expected_hours_max: 8760,
  /** Spreadsheets that a list has. */
  spreadsheets_listed: 100,
  /** Entries of a folder that the picker shows. */
  folder_entries: 500,
  spreadsheet_id_characters: 15,
  /** Google's limit for the title of a tab. */
  sheet_name_characters: 100,
  json_body_bytes: 1_048_576,
  csv_bytes: 10_485_760,
  csv_columns: 200,
  /** Including header and blank lines. A file of 10 MB has no more. */
  csv_rows: 250_000,
  csv_record_characters: 1_000_000,
  csv_errors_shown: 100,
  /** Number of starts of an import that crashes its worker. */
  csv_attempts: 3,
  csv_poll_ms: 1500,
  csv_jobs_shown: 5,
  csv_jobs_max: 100,
  chunk_size_max: 100_000,
  scheduled_times_max: 1440,
  schedule_timeout_ms: 45_000,
  types_timeout_ms: 45_000,
  types_export_timeout_ms: 30_000,
  schedule_refresh_ms: 15_000,
  /** A scheduler sends a heartbeat every five seconds. */
  heartbeat_fresh_seconds: 60,
  heartbeat_late_seconds: 300,
  /** Seconds between two polls of the schedules, for missed notifications. Due runs start on time in any case. */
  check_interval_default: 60,
  check_interval_min: 5,
  check_interval_max: 3600,
  next_scheduled: 20,
  next_scheduled_max: 1000,
  next_scheduled_hours_max: 168,
  upcoming_shown: 50,
  /** Runs that keep the quota used up for longer are a conflict in the calendar. */
  calendar_conflict_seconds: 120,
  trigger_characters: 100,
  /** Trigger in the history of runs for callers that name none. */
  trigger_default: 'Manual API',
  /** Maximum number of rows of a Google sheet: 10,000,000 cells in one column. */
  start_row_max: 10_000_000,
  accounts_max: 100,
  tags_max: 20,
  tag_characters: 40,
  notes_characters: 10_000,
  field_name_characters: 1000,
  excluded_fields_max: 1000,
  /** Columns that the limits of a task can name in one list. */
  limited_columns_max: 100,
  /** Number of cells of the largest Google spreadsheet: no limit in practice. */
  limited_cells_max: 10_000_000,
  dependencies_max: 10,
  /** Maximum number of names in a listed dependency chain. */
  dependency_chain_shown: 50,
  description_characters: 512,
  cron_characters: 200,
  compiler_sources_max: 100,
  /** A PostgreSQL statement can return 1,664 columns. */
  compiled_fields_max: 1000,
  /** Maximum number of renamed columns of a configuration. */
  column_names_max: 5000,
  /** Maximum number of checks of a configuration. */
  field_checks_max: 100,
  rule_steps_max: 20,
  /** Values of a list in a check or a mapping. */
  check_values_max: 1000,
  stale_days_max: 3650,
  check_text_characters: 500,
  /** Values of a source's column that a check compares with. */
  check_list_max: 500_000,
  /** How long a live count may take, and how many records it shows. */
  check_count_ms: 4000,
  check_examples: 5,
  /** How long the call waits for a compile. */
  compile_wait_ms: 40_000,
  compiled_page_size: 20,
  /** Characters of a cell of a Google spreadsheet. */
  cell_characters: 50_000,
  /** Overrides in one call, in one file and of one configuration. */
  overrides_at_once: 1000,
  overrides_page_max: 500,
  overrides_file_rows: 50_001,
  overrides_max: 200_000,
  overrides_shown: 20,
  /** Values that disagree: how many different ones of a field and of a compile are listed, and how long their texts may be. */
  disagreements_per_field: 100_000,
  disagreements_per_compile: 200_000,
  disagreement_characters: 200,
  disagreements_page_max: 500,
  /** Decisions in one call, by one selection, and of one configuration. */
  decisions_at_once: 1000,
  decisions_selected_max: 20_000,
  decisions_max: 100_000,
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
  /** Minutes in which an ingested or edited task counts as recent. */
  source_recent_minutes: 60,
  source_logs_refresh_ms: 5000,
  source_list_refresh_ms: 12_000,
  /** Poll interval for live tasks without an event stream. */
  source_poll_ms: 2000,
  /** Consecutive failed polls before the page gives up on an import. */
  source_poll_failures: 3,
  source_data_page_sizes: [50, 100, 250, 500],
  /** Columns of View Data. */
  source_data_columns: 50,
  /** Age from which rows are marked as old. */
  source_stale_hours: 48,
  min_rows_percent_default: 50,
  connection_text_characters: 2000,
  connection_values_max: 50,
  header_name_characters: 100,
  /** Some cloud providers publish one file with the authorities of all regions. */
  certificates_characters: 300_000,
  url_characters: 4000,
  request_body_characters: 100_000,
  statement_characters: 100_000,
  statement_seconds_default: 300,
  statement_seconds_max: 86_400,
  page_rows_default: 100,
  page_rows_max: 100_000,
  /** JSON replies are buffered up to this size; CSV is streamed up to the other one. */
  reply_bytes_max: 52_428_800,
  csv_reply_bytes_max: 1_073_741_824,
  origin_request_seconds: 30,
  test_pages_max: 5,
  /** Maximum size of a reply that a test buffers; a run accepts more. */
  test_reply_bytes_max: 16_777_216,
  test_rows_shown: 20,
  test_cell_characters: 1000,
  reply_shown_characters: 20_000,
  /** Users of a compiler configuration that are named when it cannot be deleted. */
  users_named: 5,
  types_max: 100_000,
  /** Longer values of a record are truncated in lists, to this many characters and dots. */
  compiled_text_shown: 100,
  compiled_text_cut: 97,
  copy_notice_ms: 2000,
  drag_animation_ms: 200,
  /** Ranges of the form of a source task type; its retry delay is in minutes. */
  form_concurrent_max: 100,
  form_retries_max: 10,
  retry_delay_seconds_max: 86_400,
  timeout_minutes_max: 1440,
  source_type_cron_default: '0 2 * * *',
} as const
