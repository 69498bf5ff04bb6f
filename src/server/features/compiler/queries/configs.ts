import { type RawBuilder, sql } from 'kysely'
import type { CompilerConfig } from '../../../../contract/compiler/configs.ts'
import { describeStoredCron } from '../../../engine/schedule/describe-cron.ts'
import type { Db } from '../../../platform/db.ts'
import { NamedError } from '../../../platform/errors.ts'
import { jsonMoment } from '../../../platform/json-moment.ts'
import { isReason } from '../../../tasks/approvals/pending-approvals.ts'
import { ownerOfTask, ownershipOfTask } from '../../../tasks/list/ownership.ts'

type Row = Omit<CompilerConfig, 'created_at' | 'updated_at' | 'task_type_schedule'> & {
  created_at: Date
  updated_at: Date
  cron_schedule: string | null
}

/** Lists compiler configurations by name, optionally filtered by active state. */
export const listConfigs = (db: Db, is_active: boolean | undefined): Promise<CompilerConfig[]> =>
  read(db, is_active === undefined ? sql<boolean>`true` : sql<boolean>`t.is_active = ${is_active}`)

/** Reads one compiler configuration. Throws NamedError `compiler_task_not_found`. */
export async function readConfig(db: Db, id: number): Promise<CompilerConfig> {
  const [config] = await read(db, sql<boolean>`c.id = ${id}`)
  if (config === undefined) throw new NamedError('compiler_task_not_found')
  return config
}

// Of the task `t`.
const waitingRecords = sql`(
  select jsonb_build_object('snapshot_id', w.id, 'row_count', w.row_count, 'compiled_at', ${jsonMoment(sql`w.completed_at`)},
    'reason', coalesce((select string_agg(warning ->> 'message', ' ') from jsonb_array_elements(r.warnings) as warning
      where ${isReason(sql`warning`)}), ''))
  from snapshots w left join runs r on r.id = w.run_id where w.id = t.waiting_snapshot_id)`

async function read(db: Db, wanted: RawBuilder<boolean>): Promise<CompilerConfig[]> {
  const { rows } = await sql<Row>`
    select c.id, c.task_id, t.name, c.description, t.is_active, c.required_fields, c.field_groups, c.field_priorities,
      c.column_names, c.field_checks, c.field_rules, c.approval_percent, c.stale_days,
      ${waitingRecords} as waiting, ${ownershipOfTask}, t.notes, t.created_at, t.updated_at, y.name as task_type_name,
      case when y.is_active then y.cron_schedule end as cron_schedule,
      coalesce(s.ids, '{}') as source_task_ids, coalesce(s.names, '{}') as source_names, s.master as master_source_id
    from compiler_configs c
    join tasks t on t.id = c.task_id
    ${ownerOfTask}
    left join task_types y on y.compiler_config_id = c.id
    left join lateral (
      select array_agg(k.id order by s.position) as ids, array_agg(k.name order by s.position) as names,
        max(k.id) filter (where s.is_master) as master
      from compiler_sources s join tasks k on k.id = s.source_task_id where s.compiler_config_id = c.id
    ) s on true
    where ${wanted} order by t.name`.execute(db)
  return rows.map(({ cron_schedule, ...row }) => ({
    ...row,
    task_type_schedule: cron_schedule === null ? null : describeStoredCron(cron_schedule),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }))
}
