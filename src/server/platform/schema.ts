import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { ApprovalKind } from '../../contract/approvals/calls.ts'
import type { FieldCheck, FieldRule } from '../../contract/field-checks/field-checks.ts'

import type { CsvSettings } from '../../contract/files/csv-settings.ts'

import type { Completeness } from '../../contract/rows/row-settings.ts'

import type { RunState } from '../../contract/runs/status.ts'
import type { CellValue } from '../../contract/tables.ts'
import type { LogLevel, TaskCategory } from '../../contract/tasks/schemas.ts'

/** A column with a default, optional in inserts and updates. */
type Filled<T> = ColumnType<T, T | undefined, T>
type Json<T> = ColumnType<T, string, string>
type FilledJson<T> = ColumnType<T, string | undefined, string>
type NullableJson<T> = ColumnType<T | null, string | null | undefined, string | null>

export type { LogLevel, RunState, TaskCategory }

type Users = {
  id: Generated<number>
  issuer: string
  subject: string
  email: string
  name: string
  picture: string | null
  hosted_domain: string | null
  shares_grant: Filled<boolean>
  disabled_at: Date | null
  last_sign_in_at: Filled<Date>
  created_at: Filled<Date>
}

type Grants = {
  user_id: number
  refresh_token: Buffer
  key_id: string
  scopes: string[]
  revoked_at: Date | null
  updated_at: Filled<Date>
  access_token: Filled<Buffer | null>
  access_ends_at: Filled<Date | null>
  disconnecting_at: Filled<Date | null>
  revoke_at: Filled<Date | null>
}

type Sessions = {
  id_hash: Buffer
  user_id: number
  created_at: Filled<Date>
  last_seen_at: Filled<Date>
  expires_at: Date
}

type Alarms = {
  id: Generated<number>
  kind: string
  subject: string
  category: string | null
  task_id: number | null
  task_type_id: number | null
  title: string
  reason: string
  began_at: Filled<Date>
  over_at: Date | null
}

type Webhooks = {
  id: Generated<number>
  name: string
  format: string
  host: string
  sealed: Buffer
  key_id: string
  kinds: string[]
  categories: string[]
  task_type_ids: number[]
  tells_end: boolean
  quiet_from: string | null
  quiet_to: string | null
  is_active: boolean
  last_sent_at: Filled<Date | null>
  last_error: string | null
  created_at: Filled<Date>
  updated_at: Filled<Date>
}

type WebhookMessages = {
  webhook_id: number
  alarm_id: number
  event: string
  due_at: Date | null
  attempts: Filled<number>
}

type ApiTokens = {
  id: Generated<number>
  user_id: number
  name: string
  access_right: string
  token_hash: Buffer
  hint: string
  created_at: Filled<Date>
  expires_at: Date
  last_used_at: Filled<Date | null>
}

type AuditLog = {
  id: Generated<string>
  at: Filled<Date>
  user_id: number | null
  actor: string
  action: string
  object_type: string
  object_id: string | null
  details: ColumnType<unknown, string | undefined, never>
  result: string
  request_id: string | null
  /** Transaction, as in `setting_changes`; null in entries of earlier versions. */
  xact: Filled<string | null>
}

type NotificationMails = {
  user_id: number
  kinds: string[]
  alarm_id: number
  change_id: Filled<string>
  due_at: Filled<Date>
  attempts: Filled<number>
  updated_at: Filled<Date>
}

type NotificationReads = {
  user_id: number
  alarm_id: Filled<number>
  change_id: Filled<string>
  keys: Filled<string[]>
  updated_at: Filled<Date>
}

type SettingChanges = {
  id: Generated<string>
  at: Filled<Date>
  xact: Filled<string>
  task_id: number | null
  task_type_id: number | null
  before: Json<Record<string, unknown>>
  after: Json<Record<string, unknown>>
}

type Favourites = {
  user_id: number
  task_id: number
  created_at: Filled<Date>
}

type SavedViews = {
  id: Generated<number>
  user_id: number
  list: 'sync' | 'source' | 'runs'
  name: string
  query: string
  is_shared: Filled<boolean>
  created_at: Filled<Date>
  updated_at: Filled<Date>
}

type TaskTypes = {
  id: Generated<number>
  category: TaskCategory
  name: string
  description: Filled<string>
  group_name: Filled<string>
  cron_schedule: string | null
  allowed_concurrent_tasks: Filled<number>
  priority: Filled<number>
  queue_delay_seconds: Filled<number>
  max_retries: Filled<number>
  retry_delay_seconds: Filled<number>
  timeout_minutes: number | null
  chunk_size: number
  sort_order: Filled<number>
  is_active: Filled<boolean>
  compiler_config_id: number | null
  last_admitted_at: Date | null
  scheduled_since: Filled<Date>
  created_at: Filled<Date>
  updated_at: Filled<Date>
}

type TaskTypeDependencies = {
  task_type_id: number
  depends_on_id: number
  condition: 'success' | 'completion'
  position: number
}

type Tasks = {
  id: Generated<number>
  category: TaskCategory
  task_type_id: number | null
  name: string
  sort_order: number
  is_active: Filled<boolean>
  is_schedule_paused: Filled<boolean>
  chunk_size: Filled<number>
  scheduled_times: Filled<string[]>
  scheduled_since: Filled<Date>
  created_by: number | null
  account_user_id: number | null
  relevant_user_accounts: Filled<string[]>
  owner_id: Filled<number | null>
  notes: Filled<string>
  tags: Filled<string[]>
  last_run_id: number | null
  last_success_run_id: number | null
  stopped_run_id: number | null
  snapshot_id: number | null
  before_snapshot_id: number | null
  waiting_snapshot_id: number | null
  created_at: Filled<Date>
  updated_at: Filled<Date>
}

type CompilerConfigs = {
  id: Generated<number>
  task_id: number
  description: Filled<string>
  required_fields: FilledJson<string[]>
  field_groups: FilledJson<string[][]>
  field_priorities: FilledJson<{ field: string; source_task_ids: number[] }[]>
  column_names: FilledJson<{ source_task_id: number; column: string; field: string }[]>
  field_checks: FilledJson<FieldCheck[]>
  field_rules: FilledJson<FieldRule[]>
  approval_percent: number | null
  stale_days: number | null
}

type CompilerOverrides = {
  id: Generated<number>
  compiler_config_id: number
  sku: string
  field: string
  value: Json<CellValue>
  reason: string
  ends_on: string | null
  state: Filled<'active' | 'review' | 'ended'>
  found: 'applied' | 'no_sku' | 'no_field' | null
  accepted: NullableJson<Record<string, CellValue>>
  observed: NullableJson<Record<string, CellValue>>
  author_id: number | null
  author: string
  created_at: Filled<Date>
  batch: number
  replaces: number | null
  ended_at: Date | null
  end_reason: 'date' | 'same' | 'dropped' | 'replaced' | 'undone' | null
  ended_by: string | null
}

type CompilerDecisions = {
  id: Generated<number>
  compiler_config_id: number
  field: string
  texts: string | null
  text: string | null
  source_task_id: number | null
  reason: string
  author_id: number | null
  author: string
  created_at: Filled<Date>
  batch: number
  replaces: number | null
  ended_at: Date | null
  end_reason: 'removed' | 'replaced' | 'undone' | null
  ended_by: string | null
}

type CompilerSkuMappings = {
  compiler_config_id: number
  source_task_id: number
  sku: string
  master_sku: string
}

type CompiledVersions = {
  snapshot_id: number
  compiler_config_id: number
  sources: Json<{ task_id: number; name: string }[]>
  has_blanks: Filled<Buffer>
  has_errors: Filled<Buffer>
  is_duplicate: Filled<Buffer>
  required_fields: FilledJson<string[]>
  source_versions: FilledJson<
    ({
      snapshot_id: number
      columns: (number | null)[]
      formats?: Record<number, object>
      runs?: object
    } | null)[]
  >
  rows_read: Filled<number>
  added: Filled<number>
  changed: Filled<number>
  gone: Filled<number>
  added_rows: Filled<Buffer>
  changed_rows: Filled<Buffer>
  gone_rows: Filled<Buffer>
  merged_from: Filled<string | null>
  without_sku: Filled<number[]>
  field_checks: FilledJson<FieldCheck[]>
}

type CompiledFailures = {
  snapshot_id: number
  check_no: number
  rows: Buffer
  median: number | null
}

type CompiledOverrides = {
  snapshot_id: number
  row_no: number
  field: number
  override_id: number
}

type CompiledDisagreements = {
  id: Generated<number>
  snapshot_id: number
  field: number
  texts: string
  options: Json<{ text: string; sources: number[]; wins: number }[]>
  records: number
  rows: number[]
  decision_id: number | null
}

type CompiledDisputes = {
  snapshot_id: number
  field: number
  sources: number[]
  decision_id: number
  records: number
  unlisted: number
}

type CompiledCompleteness = {
  snapshot_id: number
  fields_hash: string
  complete: number
  missing: Json<{ field: string; records: number }[]>
  incomplete: Buffer
}

type CompiledSets = {
  snapshot_id: number
  name: string
  rows: Buffer
  created_at: Filled<Date>
}

type CompiledSkuTexts = {
  snapshot_id: number
  part_no: number
  skus: string
}

type CompiledQuality = {
  snapshot_id: number
  fields: Json<unknown>
  moves: Json<unknown>
}

type CompiledBlocks = {
  snapshot_id: number
  first_row: number
  skus: string[]
  ends: number[]
  cells: Buffer
  found: Buffer
  field_sources: Buffer
  source_rows: Buffer
  times: Buffer
  hashes: Buffer | null
  before_rows: Buffer
}

type CompilerSources = {
  compiler_config_id: number
  source_task_id: number
  position: number
  is_master: boolean
}

type AllowedHosts = {
  host: string
  added_by: string
  created_at: Filled<Date>
}

type Connections = {
  id: Generated<number>
  name: string
  kind: 'api' | 'database'
  settings: Json<unknown>
  secrets: Buffer | null
  key_id: string | null
  created_by: number | null
  created_at: Filled<Date>
  updated_at: Filled<Date>
}

type SourceTasks = {
  task_id: number
  source_type: 'sheet' | 'api' | 'database' | 'internal'
  spreadsheet_id: Filled<string>
  spreadsheet_name: Filled<string>
  names_due_at: Filled<Date | null>
  sheet_name: Filled<string>
  provider: Filled<string>
  place: string | null
  /** Used by processes of the previous version. */
  sheet_id: number | null
  source_identifier: Filled<string>
  connection_id: number | null
  origin_task_id: number | null
  is_master_catalog: Filled<boolean>
  description: Filled<string>
  min_rows_percent: Filled<number>
  max_rows: Filled<number>
  start_row: Filled<number>
  csv_delimiter: Filled<CsvSettings['delimiter']>
  csv_encoding: Filled<CsvSettings['encoding']>
  csv_quote: Filled<CsvSettings['quote']>
  file_expected_hours: Filled<number | null>
  pulled_at: Date | null
  changed_at: Date | null
  validator: NullableJson<unknown>
}

type FurtherSources = {
  task_id: number
  place: number
  source_type: 'sheet' | 'internal'
  source_ss_id: string
  source_ss_name: Filled<string>
  source_sheet_name: string
  source_compiler_config_id: number | null
  names_due_at: Filled<Date | null>
  source_provider: Filled<string>
  source_place: string | null
}

type SplitTabs = {
  id: Generated<number>
  task_id: number
  value: string
  target_ss_id: string
  target_sheet_name: string
  target_place: string | null
  owned_columns: Filled<number>
  owned_rows: Filled<number>
  owned_start_row: number | null
  intended: FilledJson<unknown>
  snapshot_id: number | null
}

type SyncPresets = {
  id: Generated<number>
  name: string
  excluded_fields: Filled<string[]>
  created_at: Filled<Date>
  updated_at: Filled<Date>
}

/** What runs wrote into targets whose rows they match, as hashes of 8 bytes. */
type WrittenRows = {
  task_id: number
  hashes: Buffer
  pending: Buffer | null
}

type SyncTasks = {
  task_id: number
  source_type: 'sheet' | 'internal'
  source_ss_id: Filled<string>
  source_ss_name: Filled<string>
  source_sheet_name: Filled<string>
  source_provider: Filled<string>
  source_place: string | null
  /** Used by processes of the previous version, like target_sheet_id. */
  source_sheet_id: number | null
  target_ss_id: string
  target_ss_name: Filled<string>
  names_due_at: Filled<Date | null>
  target_sheet_name: string
  target_provider: Filled<string>
  target_place: string | null
  target_sheet_id: number | null
  source_compiler_config_id: number | null
  sync_preset_id: number | null
  start_row: Filled<number>
  owned_columns: Filled<number>
  owned_rows: Filled<number>
  owned_start_row: number | null
  intended: FilledJson<unknown>
  foreign_cells: NullableJson<unknown>
  columns: NullableJson<unknown>
  include_new_columns: Filled<boolean>
  filter: NullableJson<unknown>
  sort_by: FilledJson<unknown>
  max_rows: number | null
  completeness: NullableJson<Completeness>
  extra_columns: FilledJson<unknown>
  write_mode: Filled<string>
  key_columns: FilledJson<unknown>
  on_missing: Filled<string>
  mark_column: string | null
  mark_text: Filled<string>
  on_bad_keys: Filled<string>
  find_columns_by_header: Filled<boolean>
  on_cells_beside: Filled<string | null>
  more_sources: FilledJson<unknown>
  split_by: string | null
  split_tab_name: Filled<string>
  target_csv_delimiter: string | null
  target_csv_encoding: string | null
  source_csv_delimiter: string | null
  source_csv_encoding: string | null
  source_csv_quote: string | null
  limits: FilledJson<unknown>
  older_version: NullableJson<unknown>
}

type LogEntries = {
  id: Generated<string>
  task_id: number
  run_id: number | null
  level: LogLevel
  message: string
  created_at: Filled<Date>
}

type Settings = {
  key: string
  value: Json<unknown>
  updated_at: Filled<Date>
}

type Runs = {
  id: Generated<number>
  task_id: number | null
  task_type_id: number | null
  category: TaskCategory
  task_name: string
  state: Filled<RunState>
  trigger: string
  trigger_label: Filled<string>
  triggered_by: number | null
  definition: Json<unknown>
  exclusive_key: string | null
  sort_order: Filled<number>
  queued_at: Filled<Date>
  not_before: Filled<Date>
  started_at: Date | null
  attempt_started_at: Date | null
  finished_at: Date | null
  attempts: Filled<number>
  redeliveries: Filled<number>
  job_id: string | null
  job_retry: number | null
  worker: string | null
  stop_asked_by: string | null
  phase: Filled<string>
  phase_started_at: Date | null
  rows_done: Filled<number>
  rows_total: number | null
  checkpoint: NullableJson<unknown>
  error: string | null
  failure_kind: string | null
  message: string | null
  receipt: NullableJson<unknown>
  mailed_at: Date | null
  wait: NullableJson<unknown>
  wait_since: Date | null
  waits: FilledJson<unknown>
  /** Set by a trigger. */
  cause: ColumnType<string | null, undefined, never>
  warnings: JSONColumnType<{ id: string; message: string }[], string | undefined, string>
  updated_at: Filled<Date>
  request_id: string | null
  input_run_ids: Filled<number[]>
  waits_for_run_id: number | null
  refusals: Filled<number>
  refused_since: Date | null
  is_preview: Filled<boolean>
  mounts: Filled<string[]>
}

type Plans = {
  id: Generated<number>
  hash: string
  task_id: number
  run_id: number
  wanted_snapshot_id: number | null
  former_snapshot_id: number | null
  target_hash: string
  target: Json<unknown>
  differing: Buffer
  summary: NullableJson<unknown>
  created_at: Filled<Date>
  expires_at: Date | null
  outdated_at: Date | null
  limits: NullableJson<unknown>
  applied_at: Date | null
  restores: NullableJson<unknown>
  written_before: Filled<Buffer | null>
  written_after: Filled<Buffer | null>
  is_split: Generated<boolean>
  whole_id: Filled<number | null>
  split_value: Filled<string | null>
}

type ApprovalDecisions = {
  id: Generated<number>
  task_id: number
  kind: ApprovalKind
  content: string
  is_approved: boolean
  reason: string
  user_id: number | null
  decided_by: string
  at: Filled<Date>
}

type PlanRows = {
  plan_id: number
  position: number
  kind: 'removed' | 'changed' | 'added' | 'moved'
  old_row: number | null
  new_row: number | null
  cells: number
}

type RunMails = {
  run_id: number
  recipient: string
  due_at: Date | null
  attempts: Filled<number>
}

type BulkCalls = {
  id: Generated<number>
  user_id: number
  actor: Json<unknown>
  action: string
  idempotency_key: string | null
  body_hash: Buffer
  reply: NullableJson<unknown>
  end_reply: NullableJson<unknown>
  end_state: 'undone' | 'carried_out' | null
  created_at: Filled<Date>
  undo_until: Date | null
  due_at: Date | null
}

type BulkChanges = {
  bulk_id: number
  task_id: number
  former: Json<unknown>
  updated_at: Date
}

type AcknowledgedWarnings = {
  task_id: number
  warning_id: string
  acknowledged_by: string
  acknowledged_at: Filled<Date>
}

type Visits = {
  user_id: number
  started_at: Filled<Date>
  last_active_at: Filled<Date>
  previous_ended_at: Date | null
}

type FailureMarks = {
  task_id: number
  kind: 'acknowledged' | 'snoozed'
  cause: string
  user_id: number
  at: Filled<Date>
  until: Date | null
}

type FailureClaims = {
  task_id: number
  user_id: number
  at: Filled<Date>
  cause: string
}

type Snapshots = {
  id: Generated<number>
  task_id: number | null
  run_id: number | null
  kind: 'copy' | 'before' | 'source' | 'compiled'
  columns: JSONColumnType<string[], string | undefined, string>
  header: JSONColumnType<(string | number | boolean | null)[], string | undefined, string>
  formats: ColumnType<unknown, string | undefined, string>
  format_runs: ColumnType<unknown, string | undefined, string>
  row_count: Filled<number>
  hash: string | null
  completed_at: Date | null
  pinned_until: Filled<Date>
  rows_of: Filled<number | null>
  removed: Filled<Buffer>
  source_columns: Filled<(number | null)[] | null>
  source_rows: Filled<number[] | null>
  read_snapshot_id: Filled<number | null>
  source_parts: ColumnType<unknown, string | null | undefined, string | null>
  created_at: Filled<Date>
  formulas: NullableJson<unknown>
  bytes: string | null
  column_changes: NullableJson<unknown>
}

type SourceColumnNames = {
  task_id: number
  column_name: string
  read_as: string
  set_by: string
  set_at: Filled<Date>
}

type SnapshotRows = {
  snapshot_id: number
  row_no: number
  cells: JSONColumnType<(string | number | boolean | null)[]>
}

type SnapshotOrders = {
  snapshot_id: number
  column_no: number
  filled: number
  created_at: Filled<Date>
}

type SnapshotOrderParts = {
  snapshot_id: number
  column_no: number
  part_no: number
  row_nos: number[]
}

type SpreadsheetNames = { spreadsheet_id: string; name: string }

type StagingTabs = {
  run_id: number
  spreadsheet_id: string
  sheet_id: number
  created_at: Filled<Date>
  seen: Filled<boolean>
  next_look_at: Filled<Date | null>
}

type QuotaLog = {
  id: Generated<string>
  project: string
  account: string
  kind: 'read' | 'write'
  started_at: Date
}

type QuotaMinutes = {
  project: string
  minute: Date
  kind: 'read' | 'write'
  account: string
  requests: number
}

type RunAllSchedules = {
  category: TaskCategory
  scheduled_times: Filled<string[]>
  is_paused: Filled<boolean>
  scheduled_since: Filled<Date>
}

type ReadyBy = {
  id: Generated<number>
  task_id: number | null
  task_type_id: number | null
  spreadsheet_id: string | null
  ready_by: string
  forecast_at: Date | null
  deadline: Date | null
  ready_at: Date | null
  ready_at_worst: Date | null
  is_late: Filled<boolean>
  is_ready: Filled<boolean>
  reason: Filled<string>
  suggestion: Filled<string>
  tasks: Filled<number>
  measured_tasks: Filled<number>
  measured_runs: Filled<number>
  moves: FilledJson<{ ids: number[]; scheduled_times: string[] }[]>
  late_task_ids: Filled<number[]>
  overdue_task_ids: Filled<number[]>
  updated_at: Filled<Date>
}

/** A view. */
type TaskSchedules = {
  schedule: 'task' | 'type' | 'all'
  task_id: number
  times: string[] | null
  cron: string | null
  scheduled_since: Date
}

type DueMoments = {
  id: Generated<string>
  schedule: 'task' | 'type' | 'all'
  task_id: number
  due_at: Date
  stage: number
  outcome: 'started' | 'missed' | null
  reason: string | null
  last_due_at: Date
  moments: Filled<number>
  run_id: number | null
  recorded_at: Filled<Date>
}

type ScheduleClock = {
  single: Filled<boolean>
  scanned_until: Filled<Date>
  looked_at: Filled<Date>
  source_running: Filled<boolean>
}

type Workers = {
  id: string
  name: string
  categories: TaskCategory[]
  seen_at: Filled<Date>
  mounts: string[] | null
  missing_mounts: Filled<string[]>
}

type CsvJobs = {
  id: Generated<number>
  type: string
  kind: 'import' | 'export'
  status: Filled<'pending' | 'running' | 'completed' | 'failed'>
  filename: string
  processed_count: Filled<number>
  progress: Filled<number>
  summary: ColumnType<unknown, string | undefined, string>
  errors: ColumnType<unknown, string | undefined, string>
  warnings: ColumnType<unknown, string | undefined, string>
  error: string | null
  error_code: string | null
  options: ColumnType<unknown, string | undefined, string>
  attempts: Filled<number>
  file: string | null
  created_by: number | null
  actor: string
  created_at: Filled<Date>
  finished_at: Date | null
  request_id: string | null
}

type CsvFileParts = {
  job_id: number
  part_no: number
  content: Buffer
}

type LimitedFolders = {
  folder: string
  user_ids: number[]
}

type UploadedFiles = {
  id: Generated<number>
  task_id: number | null
  name: string
  size: number
  user_id: number | null
  uploaded_at: Filled<Date>
}

type UploadedFileParts = {
  file_id: number
  part_no: number
  content: Buffer
}

/** Types of all tables and columns, as sql/ creates them; used to check queries. */
export type Database = {
  acknowledged_warnings: AcknowledgedWarnings
  allowed_hosts: AllowedHosts
  alarms: Alarms
  approval_decisions: ApprovalDecisions
  api_tokens: ApiTokens
  audit_log: AuditLog
  bulk_calls: BulkCalls
  bulk_changes: BulkChanges
  due_moments: DueMoments
  compiled_blocks: CompiledBlocks
  compiled_completeness: CompiledCompleteness
  compiled_disagreements: CompiledDisagreements
  compiled_disputes: CompiledDisputes
  compiled_failures: CompiledFailures
  compiled_overrides: CompiledOverrides
  compiled_quality: CompiledQuality
  compiled_sets: CompiledSets
  compiled_sku_texts: CompiledSkuTexts
  compiled_versions: CompiledVersions
  compiler_configs: CompilerConfigs
  compiler_decisions: CompilerDecisions
  compiler_overrides: CompilerOverrides
  compiler_sku_mappings: CompilerSkuMappings
  compiler_sources: CompilerSources
  connections: Connections
  csv_file_parts: CsvFileParts
  csv_jobs: CsvJobs
  favourites: Favourites
  failure_claims: FailureClaims
  failure_marks: FailureMarks
  further_sources: FurtherSources
  split_tabs: SplitTabs
  grants: Grants
  limited_folders: LimitedFolders
  log_entries: LogEntries
  notification_mails: NotificationMails
  notification_reads: NotificationReads
  plan_rows: PlanRows
  plans: Plans
  quota_log: QuotaLog
  quota_minutes: QuotaMinutes
  run_all_schedules: RunAllSchedules
  run_mails: RunMails
  ready_by: ReadyBy
  runs: Runs
  saved_views: SavedViews
  schedule_clock: ScheduleClock
  sessions: Sessions
  setting_changes: SettingChanges
  settings: Settings
  snapshot_order_parts: SnapshotOrderParts
  snapshot_orders: SnapshotOrders
  snapshot_rows: SnapshotRows
  snapshots: Snapshots
  source_column_names: SourceColumnNames
  source_tasks: SourceTasks
  spreadsheet_names: SpreadsheetNames
  staging_tabs: StagingTabs
  sync_presets: SyncPresets
  sync_tasks: SyncTasks
  written_rows: WrittenRows
  task_schedules: TaskSchedules
  task_type_dependencies: TaskTypeDependencies
  task_types: TaskTypes
  tasks: Tasks
  uploaded_file_parts: UploadedFileParts
  uploaded_files: UploadedFiles
  users: Users
  visits: Visits
  webhook_messages: WebhookMessages
  webhooks: Webhooks
  workers: Workers
}
