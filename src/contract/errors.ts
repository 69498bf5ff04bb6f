import { alarmMessages } from './alarms/client-messages.ts'
import { approvalServerMessages } from './approvals/server-messages.ts'
import { bulkServerMessages } from './bulk/server-messages.ts'
import { compilerServerMessages } from './compiler/server-messages.ts'
import { originMessages } from './connections/server-messages.ts'
import { csvJobMessages } from './csv-jobs/client-messages.ts'
import { csvJobServerMessages } from './csv-jobs/server-messages.ts'
import { decisionServerMessages } from './decisions/server-messages.ts'
import { devLogMessages } from './dev-logs/client-messages.ts'
import { fieldMessages } from './field-messages.ts'
import { lineageServerMessages } from './lineage/server-messages.ts'
import { mcpMessages } from './mcp/server-messages.ts'
import { overrideServerMessages } from './overrides/server-messages.ts'
import { planServerMessages } from './plans/server-messages.ts'
import { columnMessages } from './remembered-columns/client-messages.ts'
import { runMessages } from './runs/client-messages.ts'
import { savedViewMessages } from './saved-views/client-messages.ts'
import { settingChangeServerMessages } from './setting-changes/server-messages.ts'
import { sourceMessages } from './source-tasks/client-messages.ts'
import { sourceServerMessages } from './source-tasks/server-messages.ts'
import { presetMessages } from './sync-presets/client-messages.ts'
import { presetServerMessages } from './sync-presets/server-messages.ts'
import { syncTaskMessages } from './sync-tasks/client-messages.ts'
import { syncTaskServerMessages } from './sync-tasks/server-messages.ts'
import { frameMessages } from './system/client-messages.ts'
import { systemServerMessages } from './system/server-messages.ts'
import { taskTypeMessages } from './task-types/client-messages.ts'
import { taskTypeServerMessages } from './task-types/server-messages.ts'
import { taskMessages } from './tasks/client-messages.ts'
import { taskServerMessages } from './tasks/server-messages.ts'
import { tokenMessages } from './tokens/client-messages.ts'
import { userServerMessages } from './users/server-messages.ts'

/** Catalogue of errors: HTTP status and default message; a throw can pass a more specific message. */
export const errors = {
  invalid: { status: 400, message: 'The request is not valid.' },
  address_broken: { status: 400, message: 'The address is not valid.' },
  body_missing: { status: 400, message: 'The request needs a JSON body.' },
  body_not_json: { status: 400, message: 'The request body is not valid JSON.' },
  body_too_deep: { status: 400, message: 'The request body is nested too deeply.' },
  upload_missing: { status: 400, message: csvJobMessages.upload_missing },
  upload_several: { status: 400, message: csvJobMessages.upload_several },
  upload_broken: { status: 400, message: 'The upload ended early or is not valid. Please try again.' },
  csv_wanted: { status: 400, message: csvJobMessages.select_csv },
  csv_invalid: { status: 400, message: 'The file is not valid CSV.' },
  source_spreadsheet_required: { status: 400, message: fieldMessages.source_spreadsheet_required },
  spreadsheet_required: { status: 400, message: sourceMessages.spreadsheet_required },
  sheet_name_required: { status: 400, message: sourceMessages.sheet_name_required },
  source_identifier_required: { status: 400, message: sourceMessages.connection_required },
  master_not_source: { status: 400, message: compilerServerMessages.master_not_source },
  merge_setting_invalid: { status: 400, message: 'These settings do not go together.' },
  source_is_target: { status: 400, message: syncTaskMessages.source_is_target },
  config_required: { status: 400, message: fieldMessages.config_required },
  service_account_gone: {
    status: 409,
    message: 'This installation has another service account now, or none. Reload the page.',
  },
  account_not_shared: { status: 400, message: 'A named account does not share its access.' },
  column_unknown: { status: 400, message: 'There is no such column in the copied data.' },
  depends_on_itself: { status: 400, message: taskTypeMessages.depends_on_itself },
  cron_invalid: { status: 400, message: 'Invalid cron expression' },
  setting_of_other_category: { status: 400, message: 'Types of this category do not have this setting.' },
  compiler_config_required: { status: 400, message: taskTypeMessages.compiler_config_required },
  category_fixed: { status: 400, message: taskTypeServerMessages.category_fixed },
  disable_yourself: { status: 400, message: userServerMessages.disable_yourself },
  type_in_use: { status: 400, message: 'Tasks or other task types refer to this type.' },
  unauthenticated: { status: 401, message: 'Please sign in to continue.' },
  token_invalid: { status: 401, message: tokenMessages.invalid },
  token_wanted: { status: 401, message: mcpMessages.token_wanted },
  person_wanted: { status: 403, message: tokenMessages.person_wanted },
  right_missing: { status: 403, message: 'This token may not do that.' },
  forgery: {
    status: 403,
    message: 'The request was refused: its anti-forgery token is missing or wrong. Reload the page.',
  },
  origin_foreign: { status: 403, message: mcpMessages.origin_foreign },
  not_allowed: { status: 403, message: 'This is for administrators only.' },
  view_not_yours: { status: 403, message: savedViewMessages.not_owner },
  not_task_account: {
    status: 403,
    message: 'Only the person whose account runs this task may replace these cells.',
  },
  no_grant: { status: 403, message: 'Google access is missing. Sign in again to grant it.' },
  spreadsheet_forbidden: { status: 403, message: 'Your account may not open this spreadsheet.' },
  connection_invalid: { status: 400, message: 'These settings reach nothing.' },
  host_not_allowed: { status: 400, message: 'This host is not on the list of allowed hosts.' },
  secret_required: { status: 400, message: 'A secret is missing.' },
  connection_kind_fixed: { status: 400, message: originMessages.kind_fixed },
  host_entry_invalid: { status: 400, message: originMessages.host_entry_invalid },
  not_found: { status: 404, message: 'There is nothing at this address.' },
  change_not_found: { status: 404, message: settingChangeServerMessages.not_found },
  task_not_found: { status: 404, message: 'Task not found.' },
  saved_view_not_found: { status: 404, message: savedViewMessages.gone },
  sync_task_not_found: { status: 404, message: syncTaskMessages.sync_task_not_found },
  source_task_not_found: { status: 404, message: 'Source task not found.' },
  compiler_task_not_found: { status: 404, message: 'Compiler configuration not found.' },
  webhook_not_found: { status: 404, message: alarmMessages.gone },
  token_not_found: { status: 404, message: tokenMessages.gone },
  record_not_found: { status: 404, message: 'There is no compiled record of this SKU.' },
  decision_invalid: { status: 400, message: decisionServerMessages.not_compiled },
  override_invalid: { status: 400, message: overrideServerMessages.not_compiled },
  nothing_to_export: { status: 404, message: 'No data to export.' },
  invalid_time_range: { status: 400, message: 'from must be before to, by 31 days at most.' },
  approval_not_found: { status: 404, message: approvalServerMessages.not_found },
  bulk_not_found: { status: 404, message: bulkServerMessages.bulk_not_found },
  cell_not_known: { status: 404, message: lineageServerMessages.spreadsheet_unknown },
  version_not_found: { status: 404, message: planServerMessages.version_not_found },
  plan_not_found: { status: 404, message: planServerMessages.plan_not_found },
  run_not_found: { status: 404, message: 'Run not found.' },
  preset_not_found: { status: 404, message: presetMessages.preset_not_found },
  connection_not_found: { status: 404, message: 'Connection not found.' },
  host_not_listed: { status: 404, message: 'This host is not on the list.' },
  user_not_found: { status: 404, message: 'User not found.' },
  csv_job_not_found: { status: 404, message: 'CSV job not found.' },
  csv_file_gone: { status: 404, message: 'This job has no file to download.' },
  log_file_not_found: { status: 404, message: devLogMessages.log_file_not_found },
  no_data: { status: 404, message: sourceMessages.no_data },
  type_not_found: { status: 404, message: 'Task type not found.' },
  spreadsheet_not_found: {
    status: 404,
    message: 'There is no spreadsheet with this id, or it is not shared with you.',
  },
  spreadsheet_not_written: { status: 404, message: 'No sync task writes to a spreadsheet with this id.' },
  method_not_allowed: { status: 405, message: 'This address does not take that method.' },
  name_taken: { status: 409, message: syncTaskMessages.name_taken },
  source_target_taken: { status: 409, message: syncTaskMessages.source_target_taken },
  target_taken: { status: 409, message: syncTaskServerMessages.target_taken },
  type_name_taken: { status: 409, message: taskTypeServerMessages.type_name_taken },
  config_name_taken: { status: 409, message: compilerServerMessages.config_name_taken },
  override_changed: { status: 409, message: overrideServerMessages.changed('Another user') },
  config_in_use: { status: 409, message: 'Tasks or a task type use this configuration.' },
  source_task_in_use: { status: 409, message: 'Other tasks use this source task.' },
  origin_cycle: { status: 409, message: 'A task cannot read from itself.' },
  task_inactive: { status: 409, message: 'The task is inactive.' },
  config_inactive: { status: 409, message: 'The compiler configuration is inactive.' },
  connection_name_taken: { status: 409, message: originMessages.name_taken },
  connection_in_use: { status: 409, message: 'Source tasks use this connection.' },
  webhook_name_taken: { status: 409, message: alarmMessages.name_taken },
  token_name_taken: { status: 409, message: tokenMessages.name_taken },
  too_many_tokens: { status: 409, message: tokenMessages.too_many },
  change_not_revertible: { status: 409, message: settingChangeServerMessages.account_only },
  changed_since: { status: 409, message: 'A later change set one of these settings.' },
  view_name_taken: { status: 409, message: savedViewMessages.name_taken },
  too_many_views: { status: 409, message: savedViewMessages.too_many },
  preset_name_taken: { status: 409, message: presetServerMessages.preset_name_taken },
  preset_decides: { status: 409, message: 'Tasks that run with colleagues’ accounts use this preset.' },
  preset_in_use: { status: 409, message: 'Tasks use this preset.' },
  order_changed: { status: 409, message: taskTypeServerMessages.order_changed },
  section_changed: { status: 409, message: taskTypeServerMessages.section_changed },
  approval_changed: { status: 409, message: approvalServerMessages.changed },
  column_name_invalid: { status: 400, message: columnMessages.same_name },
  waiting_rows_changed: { status: 409, message: sourceServerMessages.waiting_rows_changed },
  foreign_cells_changed: {
    status: 409,
    message: 'The last run was not refused because of these cells. Reload the page to see what it found.',
  },
  rows_at_work: { status: 409, message: sourceServerMessages.rows_at_work },
  compiler_config_taken: { status: 409, message: 'Another task type compiles this configuration already.' },
  tab_not_known: { status: 409, message: 'Tasks that use this spreadsheet have not run yet.' },
  version_of_other_task: { status: 409, message: planServerMessages.version_of_other_task },
  version_elsewhere: { status: 409, message: planServerMessages.version_elsewhere },
  version_live: { status: 409, message: planServerMessages.version_live },
  nothing_to_undo: { status: 409, message: planServerMessages.nothing_to_undo },
  plan_of_other_task: { status: 409, message: planServerMessages.plan_of_other_task },
  plan_applied: { status: 409, message: planServerMessages.plan_applied },
  plan_live: { status: 409, message: planServerMessages.plan_live },
  plan_outdated: { status: 409, message: planServerMessages.plan_outdated },
  undo_expired: { status: 409, message: bulkServerMessages.undo_expired },
  idempotency_key_reused: { status: 409, message: bulkServerMessages.key_reused },
  stale_update: { status: 409, message: frameMessages.stale_update },
  warnings_changed: { status: 409, message: runMessages.warnings_changed },
  live_delete: { status: 409, message: taskMessages.live_delete },
  live_edit: { status: 409, message: taskMessages.live_edit },
  live_records: {
    status: 409,
    message: 'The configuration is being compiled. Its records can be deleted when that is over.',
  },
  circular_dependency: { status: 409, message: taskTypeMessages.circular_dependency },
  version_expired: { status: 410, message: planServerMessages.version_gone },
  plan_expired: { status: 410, message: planServerMessages.plan_expired },
  too_large: { status: 413, message: 'The request is too large.' },
  file_too_large: { status: 413, message: 'The file is too large.' },
  unsupported_type: { status: 415, message: 'The request must be uncompressed JSON.' },
  upload_not_form: { status: 415, message: 'The request must be a form with a file.' },
  type_gone: { status: 422, message: 'The task type no longer exists.' },
  owner_gone: { status: 422, message: taskServerMessages.owner_gone },
  preset_gone: { status: 422, message: 'The sync preset no longer exists.' },
  config_gone: { status: 422, message: 'The compiler configuration no longer exists.' },
  source_task_gone: { status: 422, message: 'One of the sources is no source task any more.' },
  origin_gone: { status: 422, message: 'There is nothing of this name to read from.' },
  dependency_gone: { status: 422, message: 'The task type to depend on no longer exists.' },
  run_failed: { status: 422, message: 'The run did not end well.' },
  compile_failed: { status: 422, message: 'The compile did not end well.' },
  compile_stopped: { status: 422, message: 'The compile was stopped. The records are as they were.' },
  preview_failed: { status: 422, message: 'These settings cannot be previewed.' },
  version_gone: { status: 422, message: 'Later runs have replaced these rows.' },
  host_unknown: { status: 421, message: systemServerMessages.host_unknown('') },
  headers_too_large: { status: 431, message: 'The request headers are too large.' },
  request_timeout: { status: 408, message: 'The request took too long to arrive.' },
  http_broken: { status: 400, message: 'The request is not valid HTTP.' },
  too_many_requests: { status: 429, message: 'Too many requests. Please wait a moment.' },
  csv_interrupted: { status: 500, message: csvJobServerMessages.csv_interrupted },
  unexpected: { status: 500, message: frameMessages.unexpected },
  export_goes_on: { status: 503, message: 'The export takes longer than usual.' },
  google_unavailable: { status: 503, message: 'Google does not answer at the moment. Please try again.' },
  unavailable: { status: 503, message: 'The database is not reachable at the moment. Please try again.' },
} as const

export type ErrorName = keyof typeof errors
