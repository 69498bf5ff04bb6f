import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { z } from 'zod'
import { errors } from '../../../../contract/errors.ts'
import { Name } from '../../../../contract/fields.ts'
import { messages } from '../../../../contract/messages.ts'
import { SyncTaskCreate, SyncTaskUpdate } from '../../../../contract/sync-tasks.ts'
import type { Db, Trx } from '../../../engine/types.ts'
import type { Actor } from '../../../platform/audit.ts'
import { attempt, importCsv, type ReadableRow, type RowOutcome } from '../../../platform/csv-import.ts'
import { NamedError } from '../../../platform/errors.ts'
import { violatedConstraint } from '../../../platform/http/database-failures.ts'
import { parseInput } from '../../../platform/http/parse.ts'
import type { ReceivedFile } from '../../../platform/http/upload.ts'
import { shape, toBody } from '../csv.ts'
import { csvTasks, type ExistingTask } from '../queries/export.ts'
import { constraints } from './constraints.ts'
import { addSyncTasks } from './create.ts'
import { changeSyncTask } from './update.ts'

/** Adds and changes sync tasks as a CSV file says. A task is known by its type and its name within that. */
export function importSyncTasks(db: Db, actor: Actor, upload: ReceivedFile) {
  let types: Types | undefined
  const seen = new Map<string, number>()
  return importCsv({
    db,
    actor,
    upload,
    type: 'sync_task',
    shape,
    apply: async (trx, rows) => {
      types ??= await holdTypes(trx)
      return importRows(trx, { actor, types, seen }, rows)
    },
  })
}

type Type = { id: number; name: string; chunk_size: number }
type Types = Map<string, Type>
type Context = {
  actor: Actor
  types: Types
  /** Row of each type and name that the file had so far. */
  seen: Map<string, number>
}

type Keyed = { row: ReadableRow; type: Type; name: string; key: string }
type Addition = { row: ReadableRow; body: z.output<typeof SyncTaskCreate> & { chunk_size: number } }

// They neither go away nor change their names before the import has ended; the engine goes on admitting runs of them.
async function holdTypes(trx: Trx): Promise<Types> {
  const types = await trx
    .selectFrom('task_types')
    .select(['id', 'name', 'chunk_size'])
    .where('category', '=', 'sync')
    .forKeyShare()
    .execute()
  return new Map(types.map((type) => [type.name, type]))
}

async function importRows(trx: Trx, context: Context, rows: ReadableRow[]): Promise<RowOutcome[]> {
  const outcomes = new Map<ReadableRow, RowOutcome>()
  const keyed = rows.flatMap((row) => {
    const found = refusing(outcomes, row, () => keyOf(row, context))
    return found ? [found] : []
  })
  const existing = await findTasks(trx, keyed)
  const additions = keyed.flatMap(({ row, type, name, key }): Addition[] => {
    if (existing.has(key)) return []
    const body = refusing(outcomes, row, () =>
      parseInput(SyncTaskCreate, { ...toBody(row.cells), name, sync_task_type_id: type.id }),
    )
    return body ? [{ row, body: { ...body, chunk_size: body.chunk_size ?? type.chunk_size } }] : []
  })
  await add(trx, context.actor, additions, outcomes)
  for (const { row, key } of keyed) {
    const task = existing.get(key)
    if (task) outcomes.set(row, await change(trx, context.actor, task, row))
  }
  return rows.map((row) => outcomes.get(row) ?? { field: null, message: messages.unexpected })
}

const Named = z.object({ name: Name })

function keyOf(row: ReadableRow, { types, seen }: Context): Keyed {
  const { name } = parseInput(Named, { name: row.cells.name })
  const typeName = (row.cells.task_type ?? '').normalize('NFC').trim()
  const type = types.get(typeName)
  if (type === undefined)
    throw new NamedError('type_gone', { message: messages.csv_type_unknown(typeName), field: 'task_type' })
  const key = `${type.id} ${name}`
  const earlier = seen.get(key)
  if (earlier !== undefined)
    throw new NamedError('name_taken', { message: messages.csv_key_twice(earlier), field: 'name' })
  seen.set(key, row.row)
  return { row, type, name, key }
}

async function findTasks(trx: Trx, keyed: Keyed[]): Promise<Map<string, ExistingTask>> {
  const type_ids = keyed.map(({ type }) => type.id)
  const names = keyed.map(({ name }) => name)
  const tasks = await csvTasks(trx)
    .where(
      sql<boolean>`(t.task_type_id, t.name) in (select * from unnest(${type_ids}::int[], ${names}::text[]))`,
    )
    .execute()
  return new Map(
    tasks.map(({ task_type_id, type_name: _, ...task }) => [`${task_type_id} ${task.name}`, task]),
  )
}

// All at once; where that is refused, half by half until the rows at fault are alone.
async function add(
  trx: Trx,
  actor: Actor,
  additions: Addition[],
  outcomes: Map<ReadableRow, RowOutcome>,
): Promise<void> {
  const [first] = additions
  if (first === undefined) return
  try {
    await attempt(trx, () =>
      addSyncTasks(
        trx,
        actor,
        additions.map(({ body }) => body),
      ),
    )
    for (const { row } of additions) outcomes.set(row, 'created')
  } catch (error) {
    const refusal = refusalOf(error)
    if (additions.length === 1) {
      outcomes.set(first.row, refusal)
      return
    }
    const middle = Math.ceil(additions.length / 2)
    await add(trx, actor, additions.slice(0, middle), outcomes)
    await add(trx, actor, additions.slice(middle), outcomes)
  }
}

async function change(trx: Trx, actor: Actor, task: ExistingTask, row: ReadableRow): Promise<RowOutcome> {
  try {
    const body = parseInput(SyncTaskUpdate, toBody(row.cells))
    const { sort_order: _, ...changes } = body
    const current = new Map<string, unknown>(Object.entries(task))
    const differs = Object.entries(changes).some(
      ([name, value]) => !isDeepStrictEqual(current.get(name), value),
    )
    if (!differs) return 'unchanged'
    await attempt(trx, () => changeSyncTask(trx, actor, task.id, body))
    return 'updated'
  } catch (error) {
    return refusalOf(error)
  }
}

function refusing<T>(outcomes: Map<ReadableRow, RowOutcome>, row: ReadableRow, read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    outcomes.set(row, refusalOf(error))
    return undefined
  }
}

// What a caller would have been told of this row alone; throws on what is no refusal.
function refusalOf(error: unknown): Exclude<RowOutcome, string> {
  if (error instanceof NamedError) return { field: error.field ?? null, message: error.message }
  const violated = violatedConstraint(error, constraints)
  if (violated === undefined) throw error
  return { field: violated.field, message: errors[violated.error].message }
}
