import type { ColumnType, Generated } from 'kysely'
import type { Filled, Json } from './column-types.ts'

/** Connections, alarms, settings, and jobs for CSV files. */
export type ServiceTables = {
  connections: {
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
  allowed_hosts: {
    host: string
    added_by: string
    created_at: Filled<Date>
  }
  alarms: {
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
  webhooks: {
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
  webhook_messages: {
    webhook_id: number
    alarm_id: number
    event: string
    due_at: Date | null
    attempts: Filled<number>
  }
  settings: {
    key: string
    value: Json<unknown>
    updated_at: Filled<Date>
  }
  csv_jobs: {
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
  csv_file_parts: {
    job_id: number
    part_no: number
    content: Buffer
  }
}
