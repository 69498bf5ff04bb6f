import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { ApprovalKind } from '../../../contract/approvals/calls.ts'
import type { RunState } from '../../../contract/runs/status.ts'
import type { LogLevel, TaskCategory } from '../../../contract/tasks/schemas.ts'
import type { Filled, FilledJson, Json, NullableJson } from './column-types.ts'

/** Runs with their logs, plans, approvals and failures, the workers that carry them out, and the quota they use. */
export type RunTables = {
  runs: {
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
  log_entries: {
    id: Generated<string>
    task_id: number
    run_id: number | null
    level: LogLevel
    message: string
    created_at: Filled<Date>
  }
  run_mails: {
    run_id: number
    recipient: string
    due_at: Date | null
    attempts: Filled<number>
  }
  plans: {
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
  plan_rows: {
    plan_id: number
    position: number
    kind: 'removed' | 'changed' | 'added' | 'moved'
    old_row: number | null
    new_row: number | null
    cells: number
  }
  approval_decisions: {
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
  acknowledged_warnings: {
    task_id: number
    warning_id: string
    acknowledged_by: string
    acknowledged_at: Filled<Date>
  }
  failure_marks: {
    task_id: number
    kind: 'acknowledged' | 'snoozed'
    cause: string
    user_id: number
    at: Filled<Date>
    until: Date | null
  }
  failure_claims: {
    task_id: number
    user_id: number
    at: Filled<Date>
    cause: string
  }
  staging_tabs: {
    run_id: number
    spreadsheet_id: string
    sheet_id: number
    created_at: Filled<Date>
    seen: Filled<boolean>
    next_look_at: Filled<Date | null>
  }
  workers: {
    id: string
    name: string
    categories: TaskCategory[]
    seen_at: Filled<Date>
    mounts: string[] | null
    missing_mounts: Filled<string[]>
  }
  quota_log: {
    id: Generated<string>
    project: string
    account: string
    kind: 'read' | 'write'
    started_at: Date
  }
  quota_minutes: {
    project: string
    minute: Date
    kind: 'read' | 'write'
    account: string
    requests: number
  }
}
