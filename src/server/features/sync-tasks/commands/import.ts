import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { errors } from '../../../../contract/errors.ts'
import { Name } from '../../../../contract/fields.ts'
import { messages } from '../../../../contract/messages.ts'
import { SyncTaskCreate, SyncTaskUpdate } from '../../../../contract/sync-task-edits.ts'
import type { Actor } from '../../../platform/audit.ts'
import { attempt, type CsvImport, type ReadableRow, type RowOutcome } from '../../../platform/csv/import.ts'
import type { Trx } from '../../../platform/db.ts'
import { NamedError } from '../../../platform/errors.ts'
import { violatedConstraint } from '../../../platform/http/database-failures.ts'
import { parseInput } from '../../../platform/http/parse.ts'
import { knownNames, type SpreadsheetNames } from '../../../tasks/find-spreadsheets.ts'
import { columnOf, shape, toBody } from '../csv.ts'
import { csvTasks, type ExistingTask } from '../queries/export.ts'
import { constraints } from './constraints.ts'
import { addSyncTasks } from './create.ts'
import { takenTargets } from './taken-targets.ts'
import { changeSyncTask } from './update.ts'

/** Adds and changes sync tasks as a CSV file says. A task is known by its type and its name within that. */
export const syncTaskImport: CsvImport = {
  type: 'sync_task',
  shape,
  run: async (trx, { actor, batches, ended }) => {
    const context = {
      actor,
      types: await holdTypes(trx),
      ids: await readIds(trx),
      // Asking Google for the others would take longer than all the rest: they are looked up afterwards.
      names: await knownNames(trx),
      seen: new Map<string, number>(),
    }
    for await (const rows of batches) {
      const outcomes = await importRows(trx, context, rows)
      for (const row of rows) ended(row, outcomes.get(row) ?? { field: null, message: messages.unexpected })
    }
  },
}

type Type = { id: number; name: string; chunk_size: number }
type Context = {
  actor: Actor
  types: Map<string, Type>
  /** The tasks that there were, by type and name. */
  ids: Map<string, number>
  names: SpreadsheetNames
  /** Row of each type and name that the file had so far. */
  seen: Map<string, number>
}

const IDS_AT_A_TIME = 2_000

const keyOf = (type_id: number, name: string) => `${type_id} ${name}`

/** `id` of the task that there is already. */
type Keyed = { row: ReadableRow; type: Type; name: string; id: number | undefined }
type Addition = { row: ReadableRow; body: z.output<typeof SyncTaskCreate> & { chunk_size: number } }

// They neither go away nor change their names before the import has ended; the engine goes on admitting runs of them.
async function holdTypes(trx: Trx): Promise<Map<string, Type>> {
  const types = await trx
    .selectFrom('task_types')
    .select(['id', 'name', 'chunk_size'])
    .where('category', '=', 'sync')
    .forKeyShare()
    .execute()
  return new Map(types.map((type) => [type.name, type]))
}

// Once for all batches: the planner knows nothing of the rows that a long import has added, and would scan them each time.
// In pages, so that other requests come between them.
async function readIds(trx: Trx): Promise<Map<string, number>> {
  const ids = new Map<string, number>()
  let after = 0
  for (;;) {
    const page = await trx
      .selectFrom('tasks')
      .select(['id', 'task_type_id', 'name'])
      .where('category', '=', 'sync')
      .where('id', '>', after)
      .orderBy('id')
      .limit(IDS_AT_A_TIME)
      .$narrowType<{ task_type_id: number }>()
      .execute()
    for (const { id, task_type_id, name } of page) ids.set(keyOf(task_type_id, name), id)
    after = page.at(-1)?.id ?? after
    if (page.length < IDS_AT_A_TIME) return ids
  }
}

async function importRows(
  trx: Trx,
  context: Context,
  rows: ReadableRow[],
): Promise<Map<ReadableRow, RowOutcome>> {
  const outcomes = new Map<ReadableRow, RowOutcome>()
  const keyed = rows.flatMap((row) => {
    const found = refusing(outcomes, row, () => identify(row, context))
    return found ? [found] : []
  })
  const additions = keyed.flatMap(({ row, type, name, id }): Addition[] => {
    if (id !== undefined) return []
    const body = refusing(outcomes, row, () =>
      parseInput(SyncTaskCreate, { ...toBody(row.cells), name, sync_task_type_id: type.id }, columnOf),
    )
    return body ? [{ row, body: { ...body, chunk_size: body.chunk_size ?? type.chunk_size } }] : []
  })
  await add(trx, context, additions, outcomes)
  const existing = await readTasks(
    trx,
    keyed.flatMap(({ id }) => id ?? []),
  )
  for (const { row, id } of keyed) {
    if (id !== undefined) outcomes.set(row, await change(trx, context, existing.get(id), row))
  }
  return outcomes
}

const Named = z.object({ name: Name })

function identify(row: ReadableRow, { types, ids, seen }: Context): Keyed {
  const { name } = parseInput(Named, { name: row.cells.name })
  const typeName = (row.cells.task_type ?? '').normalize('NFC').trim()
  const type = types.get(typeName)
  if (type === undefined)
    throw new NamedError('type_gone', { message: messages.csv_type_unknown(typeName), field: 'task_type' })
  const key = keyOf(type.id, name)
  const earlier = seen.get(key)
  if (earlier !== undefined)
    throw new NamedError('name_taken', { message: messages.csv_key_twice(earlier), field: 'name' })
  seen.set(key, row.row)
  return { row, type, name, id: ids.get(key) }
}

async function readTasks(trx: Trx, ids: number[]): Promise<Map<number, ExistingTask>> {
  if (ids.length === 0) return new Map()
  const tasks = await csvTasks(trx).where('t.id', 'in', ids).execute()
  return new Map(tasks.map(({ type_name: _, ...task }) => [task.id, task]))
}

// All at once; where that is refused, without those whose targets are taken, which may be all of a file; where that is
// refused too, half by half until the rows at fault are alone.
async function add(
  trx: Trx,
  context: Context,
  additions: Addition[],
  outcomes: Map<ReadableRow, RowOutcome>,
): Promise<void> {
  if (additions.length === 0 || (await addAll(trx, context, additions, outcomes)) === null) return
  const taken = await takenTargets(
    trx,
    additions.map(({ body }) => body),
  )
  for (const [place, name] of taken) {
    const row = additions[place]?.row
    if (row) outcomes.set(row, { field: 'target_sheet_name', message: errors[name].message })
  }
  await addByHalves(
    trx,
    context,
    additions.filter((_, place) => !taken.has(place)),
    outcomes,
  )
}

async function addByHalves(
  trx: Trx,
  context: Context,
  additions: Addition[],
  outcomes: Map<ReadableRow, RowOutcome>,
): Promise<void> {
  const [first] = additions
  if (first === undefined) return
  const refusal = await addAll(trx, context, additions, outcomes)
  if (refusal === null) return
  if (additions.length === 1) {
    outcomes.set(first.row, refusal)
    return
  }
  const middle = Math.ceil(additions.length / 2)
  await addByHalves(trx, context, additions.slice(0, middle), outcomes)
  await addByHalves(trx, context, additions.slice(middle), outcomes)
}

/** Adds all or none; null when they were added, otherwise why one of them was refused. */
async function addAll(
  trx: Trx,
  { actor, names }: Context,
  additions: Addition[],
  outcomes: Map<ReadableRow, RowOutcome>,
): Promise<Exclude<RowOutcome, string> | null> {
  const bodies = additions.map(({ body }) => body)
  try {
    await attempt(trx, () => addSyncTasks(trx, actor, bodies, names))
  } catch (error) {
    return refusalOf(error)
  }
  for (const { row } of additions) outcomes.set(row, 'created')
  return null
}

async function change(
  trx: Trx,
  { actor, names }: Context,
  task: ExistingTask | undefined,
  row: ReadableRow,
): Promise<RowOutcome> {
  try {
    if (task === undefined) throw new NamedError('sync_task_not_found')
    const body = parseInput(SyncTaskUpdate, toBody(row.cells), columnOf)
    const { sort_order: _, ...changes } = body
    const current = new Map<string, unknown>(Object.entries(task))
    const differs = Object.entries(changes).some(
      ([name, value]) => !isDeepStrictEqual(current.get(name), value),
    )
    if (!differs) return 'unchanged'
    await attempt(trx, () => changeSyncTask(trx, actor, task.id, body, names))
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
  if (error instanceof NamedError)
    return { field: error.field === undefined ? null : columnOf([error.field]), message: error.message }
  const violated = violatedConstraint(error, constraints)
  if (violated === undefined) throw error
  return { field: columnOf([violated.field]), message: errors[violated.error].message }
}
