import { forecastMessages as messages } from '../../../contract/forecast/server-messages.ts'
import { type Actor, audit } from '../../platform/audit.ts'
import type { Trx } from '../../platform/db.ts'
import { NamedError } from '../../platform/errors.ts'

/** What has to be ready: a task, the tasks of a type, or a target spreadsheet. */
export type ReadySubject =
  | { kind: 'task' | 'type'; id: number }
  | { kind: 'spreadsheet'; spreadsheet_id: string }

const NO_FORECAST = {
  ...{
    forecast_at: null,
    deadline: null,
    ready_at: null,
    ready_at_worst: null,
    is_late: false,
    is_ready: false,
  },
  ...{ reason: '', suggestion: '', moves: '[]', tasks: 0, measured_tasks: 0, measured_runs: 0 },
}

/**
 * Sets or removes (null) the time of day by which a task, type or target spreadsheet has to be ready. Repeating it changes nothing.
 * Returns a message. Throws NamedError `sync_task_not_found` or `type_not_found`, and `spreadsheet_not_written` for a new time of a
 * spreadsheet to which no sync task writes.
 */
export async function saveReadyBy(
  trx: Trx,
  actor: Actor,
  subject: ReadySubject,
  ready_by: string | null,
): Promise<string> {
  const { column, value, ...object } = await find(trx, subject, ready_by === null)
  if (ready_by === null) await trx.deleteFrom('ready_by').where(column, '=', value).execute()
  else
    await trx
      .insertInto('ready_by')
      .values({ [column]: value, ready_by })
      .onConflict((conflict) =>
        conflict.column(column).doUpdateSet({ ready_by, updated_at: new Date(), ...NO_FORECAST }),
      )
      .execute()
  await audit(trx, actor, { action: 'ready_by', ...object, details: { ...object.details, ready_by } })
  return ready_by === null ? messages.removed : messages.saved(ready_by)
}

async function find(trx: Trx, subject: ReadySubject, removes: boolean) {
  if (subject.kind === 'spreadsheet') {
    const { spreadsheet_id } = subject
    const written = await trx
      .selectFrom('sync_tasks')
      .select('task_id')
      .where('target_ss_id', '=', spreadsheet_id)
      .limit(1)
      .executeTakeFirst()
    if (!written && !removes) throw new NamedError('spreadsheet_not_written', { field: 'spreadsheet_id' })
    return {
      column: 'spreadsheet_id',
      value: spreadsheet_id,
      object_type: 'spreadsheet',
      object_id: null,
      details: { spreadsheet_id },
    } as const
  }
  const { kind, id } = subject
  const found = await trx
    .selectFrom(kind === 'task' ? 'tasks' : 'task_types')
    .select('category')
    .where('id', '=', id)
    .executeTakeFirst()
  if (!found) throw new NamedError(kind === 'task' ? 'sync_task_not_found' : 'type_not_found')
  return {
    column: kind === 'task' ? 'task_id' : 'task_type_id',
    value: id,
    object_type: `${found.category}_task${kind === 'task' ? '' : '_type'}`,
    object_id: id,
    details: {},
  } as const
}
