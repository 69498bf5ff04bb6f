import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { csvJobServerMessages } from '../../../contract/csv-jobs/server-messages.ts'
import { errors } from '../../../contract/errors.ts'
import { Name } from '../../../contract/fields.ts'
import { frameMessages } from '../../../contract/system/client-messages.ts'
import { taskServerMessages } from '../../../contract/tasks/server-messages.ts'

import {
  attempt,
  type ImportContext,
  type ReadableRow,
  type RowOutcome,
  type RowRefusal,
} from '../../csv-jobs/import.ts'
import type { Actor } from '../../platform/audit.ts'
import type { Cells } from '../../platform/csv/rows.ts'
import type { Trx } from '../../platform/db.ts'
import { NamedError } from '../../platform/errors.ts'
import { parseInput } from '../../platform/http/parse.ts'
import { type Constraints, violatedConstraint } from '../../platform/postgres/errors.ts'
import type { TaskCategory } from '../../platform/schema.ts'
import { knownNames, type SpreadsheetNames } from '../accounts/find-spreadsheets.ts'
import { READY_BY_COLUMN, readReadyBy } from '../forecast/csv-ready-by.ts'
import { saveReadyBy } from '../forecast/save-ready-by.ts'
import { taskNotFound } from '../task-identity.ts'
import { UNTYPED_CHUNK_SIZE } from './task-settings.ts'

/**
 * Type and name of a row, the default chunk size of a new task, and the user in its `owner` column: null if the cell is blank,
 * undefined without the column.
 */
export type KnownOfRow = {
  name: string
  type_id: number | null
  chunk_size: number
  owner_id: number | null | undefined
}

/** Column with the mail address of the owner; blank for nobody. */
export const OWNER_COLUMN = 'owner'

/** How an import reads and writes the tasks of a category. `Body` is a new task, `Changes` an update of an existing one. */
export type TaskFile<Body, Changes extends object> = {
  category: TaskCategory
  /** Column with the type name. Blank means no type if the category allows it. */
  type_column: string
  may_lack_type: boolean
  /** Like calls, the following functions throw NamedErrors and violate these constraints. */
  constraints: Constraints
  columnOf: (path: PropertyKey[]) => string
  toBody: (cells: Cells, known: KnownOfRow) => Body
  toChanges: (cells: Cells, known: Pick<KnownOfRow, 'owner_id'>) => Changes
  /** Errors of new tasks by index, as far as they can be detected in one query. */
  refusals: (trx: Trx, bodies: readonly Body[]) => Promise<Map<number, NamedError>>
  /** Returns the ids in the same order. */
  add: (trx: Trx, actor: Actor, bodies: readonly Body[], names: SpreadsheetNames) => Promise<number[]>
  /** Current values of existing tasks by id. */
  read: (trx: Trx, ids: readonly number[]) => Promise<Map<number, object>>
  change: (trx: Trx, actor: Actor, id: number, changes: Changes, names: SpreadsheetNames) => Promise<void>
}

/** Adds and updates tasks from the rows of a file. A row identifies a task by type and name. */
export async function importTasks<Body, Changes extends object>(
  trx: Trx,
  file: TaskFile<Body, Changes>,
  { actor, batches, ended }: ImportContext,
): Promise<void> {
  const importing = new Importing(trx, file, {
    actor,
    types: await holdTypes(trx, file),
    ids: await readIds(trx, file.category),
    owners: await readOwners(trx),
    // Missing names are looked up in the background, since requests to Google would slow down the import.
    names: await knownNames(trx),
  })
  for await (const rows of batches) {
    const outcomes = await importing.rows(rows)
    for (const row of rows)
      ended(row, outcomes.get(row) ?? { field: null, message: frameMessages.unexpected })
  }
}

type RowType = Omit<KnownOfRow, 'name' | 'owner_id'>
type Context = {
  actor: Actor
  types: Map<string, RowType>
  /** Ids of existing tasks by type and name. */
  ids: Map<string, number>
  /** Ids of users by mail address in lower case. */
  owners: Map<string, number>
  names: SpreadsheetNames
}

const IDS_AT_A_TIME = 2_000

const keyOf = (type_id: number | null, name: string) => `${type_id} ${name}`

// Locks the types against deletion and renaming. The engine can still admit their runs.
async function holdTypes(
  trx: Trx,
  { category, may_lack_type }: Pick<TaskFile<unknown, object>, 'category' | 'may_lack_type'>,
): Promise<Map<string, RowType>> {
  const types = await trx
    .selectFrom('task_types')
    .select(['id', 'name', 'chunk_size'])
    .where('category', '=', category)
    .forKeyShare()
    .execute()
  const byName = new Map<string, RowType>(
    types.map(({ id, name, chunk_size }) => [name, { type_id: id, chunk_size }]),
  )
  return may_lack_type ? byName.set('', { type_id: null, chunk_size: UNTYPED_CHUNK_SIZE }) : byName
}

// Loaded once, because the planner has no statistics for rows that the import added and would scan the table per batch. Read in
// pages to yield to other requests.
async function readIds(trx: Trx, category: TaskCategory): Promise<Map<string, number>> {
  const ids = new Map<string, number>()
  let after = 0
  for (;;) {
    const page = await trx
      .selectFrom('tasks')
      .select(['id', 'task_type_id', 'name'])
      .where('category', '=', category)
      .where('id', '>', after)
      .orderBy('id')
      .limit(IDS_AT_A_TIME)
      .execute()
    for (const { id, task_type_id, name } of page) ids.set(keyOf(task_type_id, name), id)
    after = page.at(-1)?.id ?? after
    if (page.length < IDS_AT_A_TIME) return ids
  }
}

// Disabled users are known, since they may still own a task. Of users with the same address, the newest enabled one counts.
/** Ids of users by mail address in lower case. */
export async function readOwners(trx: Trx): Promise<Map<string, number>> {
  const users = await trx
    .selectFrom('users')
    .select(['id', 'email'])
    .orderBy('disabled_at', (order) => order.asc().nullsLast())
    .orderBy('id')
    .execute()
  return new Map(users.map(({ id, email }) => [email.toLowerCase(), id]))
}

/** The user in an `owner` cell: null if it is blank, undefined without one. Throws NamedError `owner_gone`. */
export function ownerIn(
  cell: string | undefined,
  owners: ReadonlyMap<string, number>,
): number | null | undefined {
  const email = cell?.trim()
  if (email === undefined || email === '') return email === undefined ? undefined : null
  const id = owners.get(email.toLowerCase())
  if (id === undefined)
    throw new NamedError('owner_gone', {
      message: taskServerMessages.owner_unknown(email),
      field: OWNER_COLUMN,
    })
  return id
}

const Named = z.object({ name: Name })

/** A row that becomes a task, and the time by which that has to be ready. */
type Addition<Body> = { row: ReadableRow; body: Body; ready_by: string | null }

/** `id` of the existing task. */
type Keyed = KnownOfRow & { row: ReadableRow; id: number | undefined }

class Importing<Body, Changes extends object> {
  readonly #trx: Trx
  readonly #file: TaskFile<Body, Changes>
  readonly #context: Context
  /** First row of each type and name in the file. */
  readonly #seen = new Map<string, number>()
  #outcomes = new Map<ReadableRow, RowOutcome>()
  /** Whether the previous batch had refused rows. */
  #isRefused = false

  constructor(trx: Trx, file: TaskFile<Body, Changes>, context: Context) {
    this.#trx = trx
    this.#file = file
    this.#context = context
  }

  async rows(rows: ReadableRow[]): Promise<ReadonlyMap<ReadableRow, RowOutcome>> {
    this.#outcomes = new Map()
    const keyed = rows.flatMap((row) => this.#unlessRefused(row, () => this.#identify(row)) ?? [])
    const additions = keyed.flatMap(({ row, id, ...known }) => {
      if (id !== undefined) return []
      const added = this.#unlessRefused(row, () => ({
        row,
        ready_by: readReadyBy(row.cells) ?? null,
        body: this.#file.toBody(row.cells, known),
      }))
      return added ?? []
    })
    await this.#add(additions)
    const ids = keyed.flatMap(({ id }) => id ?? [])
    const existing = ids.length > 0 ? await this.#file.read(this.#trx, ids) : new Map()
    for (const { row, id, owner_id } of keyed) {
      if (id !== undefined)
        this.#outcomes.set(row, await this.#change(id, existing.get(id), { row, owner_id }))
    }
    return this.#outcomes
  }

  #identify(row: ReadableRow): Keyed {
    const { type_column } = this.#file
    const { name } = parseInput(Named, { name: row.cells.name })
    const typeName = (row.cells[type_column] ?? '').normalize('NFC').trim()
    const type = this.#context.types.get(typeName)
    if (type === undefined)
      throw new NamedError('type_gone', {
        message: csvJobServerMessages.csv_type_unknown(typeName),
        field: type_column,
      })
    const key = keyOf(type.type_id, name)
    const earlier = this.#seen.get(key)
    if (earlier !== undefined)
      throw new NamedError('name_taken', {
        message: csvJobServerMessages.csv_key_twice(earlier),
        field: 'name',
      })
    this.#seen.set(key, row.row)
    return {
      ...type,
      row,
      name,
      id: this.#context.ids.get(key),
      owner_id: ownerIn(row.cells[OWNER_COLUMN], this.#context.owners),
    }
  }

  // Adds all rows at once. If that fails, it removes the rows with detectable errors and retries; if that fails too, it bisects to
  // find the remaining ones. After a batch with errors, the first attempt is skipped.
  async #add(additions: Addition<Body>[]): Promise<void> {
    if (additions.length === 0) return
    if (!this.#isRefused && (await this.#addAll(additions)) === null) return
    const refusals = await this.#file.refusals(
      this.#trx,
      additions.map(({ body }) => body),
    )
    this.#isRefused = refusals.size > 0
    for (const [place, refusal] of refusals) {
      const row = additions[place]?.row
      if (row) this.#outcomes.set(row, this.#refusalOf(refusal))
    }
    await this.#addByHalves(additions.filter((_, place) => !refusals.has(place)))
  }

  async #addByHalves(additions: Addition<Body>[]): Promise<void> {
    const [first] = additions
    if (first === undefined) return
    const refusal = await this.#addAll(additions)
    if (refusal === null) return
    if (additions.length === 1) {
      this.#outcomes.set(first.row, refusal)
      return
    }
    const middle = Math.ceil(additions.length / 2)
    await this.#addByHalves(additions.slice(0, middle))
    await this.#addByHalves(additions.slice(middle))
  }

  /** Adds all rows or none. Returns null on success, otherwise the error of one row. */
  async #addAll(additions: Addition<Body>[]): Promise<RowRefusal | null> {
    const { actor, names } = this.#context
    const bodies = additions.map(({ body }) => body)
    try {
      await attempt(this.#trx, async () => {
        const ids = await this.#file.add(this.#trx, actor, bodies, names)
        for (const [place, { ready_by }] of additions.entries()) {
          const id = ids[place]
          if (ready_by !== null && id !== undefined)
            await saveReadyBy(this.#trx, actor, { kind: 'task', id }, ready_by)
        }
      })
    } catch (error) {
      return this.#refusalOf(error)
    }
    for (const { row } of additions) this.#outcomes.set(row, 'created')
    return null
  }

  async #change(
    id: number,
    task: object | undefined,
    { row, owner_id }: Pick<Keyed, 'row' | 'owner_id'>,
  ): Promise<RowOutcome> {
    const { actor, names } = this.#context
    try {
      if (task === undefined) throw taskNotFound(this.#file.category)
      const changes = this.#file.toChanges(row.cells, { owner_id })
      const differs = Object.entries(changes).some(
        ([name, value]) => !isDeepStrictEqual(Reflect.get(task, name), value),
      )
      const ready_by = readReadyBy(row.cells)
      const is_moved = ready_by !== undefined && ready_by !== Reflect.get(task, READY_BY_COLUMN)
      if (!differs && !is_moved) return 'unchanged'
      await attempt(this.#trx, async () => {
        if (differs) await this.#file.change(this.#trx, actor, id, changes, names)
        if (is_moved) await saveReadyBy(this.#trx, actor, { kind: 'task', id }, ready_by)
      })
      return 'updated'
    } catch (error) {
      return this.#refusalOf(error)
    }
  }

  #unlessRefused<T>(row: ReadableRow, read: () => T): T | undefined {
    try {
      return read()
    } catch (error) {
      this.#outcomes.set(row, this.#refusalOf(error))
      return undefined
    }
  }

  // The error that a call with this row alone would return. Rethrows unexpected errors.
  #refusalOf(error: unknown): RowRefusal {
    const { columnOf, constraints } = this.#file
    if (error instanceof NamedError)
      return {
        field: error.field === undefined ? null : columnOf(error.field.split('.')),
        message: error.message,
      }
    const violated = violatedConstraint(error, constraints)
    if (violated === undefined) throw error
    return { field: columnOf([violated.field]), message: errors[violated.error].message }
  }
}
