import type { Generated } from 'kysely'
import type { CsvSettings } from '../../../contract/files/csv-settings.ts'
import type { Completeness } from '../../../contract/rows/row-settings.ts'
import type { TaskCategory } from '../../../contract/tasks/schemas.ts'
import type { Filled, FilledJson, Json, NullableJson } from './column-types.ts'

/** Tasks of every category, their types and schedules, and the history of their settings. */
export type TaskTables = {
  tasks: {
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
  task_types: {
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
  task_type_dependencies: {
    task_type_id: number
    depends_on_id: number
    condition: 'success' | 'completion'
    position: number
  }
  /** A view. */
  task_schedules: {
    schedule: 'task' | 'type' | 'all'
    task_id: number
    times: string[] | null
    cron: string | null
    scheduled_since: Date
  }
  run_all_schedules: {
    category: TaskCategory
    scheduled_times: Filled<string[]>
    is_paused: Filled<boolean>
    scheduled_since: Filled<Date>
  }
  due_moments: {
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
  schedule_clock: {
    single: Filled<boolean>
    scanned_until: Filled<Date>
    looked_at: Filled<Date>
    source_running: Filled<boolean>
  }
  ready_by: {
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
  setting_changes: {
    id: Generated<string>
    at: Filled<Date>
    xact: Filled<string>
    task_id: number | null
    task_type_id: number | null
    before: Json<Record<string, unknown>>
    after: Json<Record<string, unknown>>
  }
  bulk_calls: {
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
  bulk_changes: {
    bulk_id: number
    task_id: number
    former: Json<unknown>
    updated_at: Date
  }
  sync_tasks: {
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
  sync_presets: {
    id: Generated<number>
    name: string
    excluded_fields: Filled<string[]>
    created_at: Filled<Date>
    updated_at: Filled<Date>
  }
  further_sources: {
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
  split_tabs: {
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
  /** What runs wrote into targets whose rows they match, as hashes of 8 bytes. */
  written_rows: {
    task_id: number
    hashes: Buffer
    pending: Buffer | null
  }
  source_tasks: {
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
  source_column_names: {
    task_id: number
    column_name: string
    read_as: string
    set_by: string
    set_at: Filled<Date>
  }
  uploaded_files: {
    id: Generated<number>
    task_id: number | null
    name: string
    size: number
    user_id: number | null
    uploaded_at: Filled<Date>
  }
  uploaded_file_parts: {
    file_id: number
    part_no: number
    content: Buffer
  }
}
