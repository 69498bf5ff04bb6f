import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { errors } from '../../../contract/errors.ts'
import { Name } from '../../../contract/fields.ts'
import { messages } from '../../../contract/messages.ts'
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
import { taskNotFound } from '../task-identity.ts'
import { UNTYPED_CHUNK_SIZE } from './task-settings.ts'

/** A row's type and name, and the chunk size of a new task that does not say its own. */
export type KnownOfRow = { name: string; type_id: number | null; chunk_size: number }

/** What an import is told of a category. `Body` is a task to be added, `Changes` what a row says of one that there is. */
export type TaskFile<Body, Changes extends object> = {
  category: TaskCategory
  /** The column that names the type; blank means none where the category has tasks without one. */
  type_column: string
  may_lack_type: boolean
  /** These and what follows throw NamedErrors and violate constraints as calls do. */
  constraints: Constraints
  columnOf: (path: PropertyKey[]) => string
  toBody: (cells: Cells, known: KnownOfRow) => Body
  toChanges: (cells: Cells) => Changes
  /** Which of some new tasks would be refused, by their place, as far as that can be told at once. */
  refusals: (trx: Trx, bodies: readonly Body[]) => Promise<Map<number, NamedError>>
  add: (trx: Trx, actor: Actor, bodies: readonly Body[], names: SpreadsheetNames) => Promise<unknown>
  /** What a file says of tasks that there are, by their ids. */
  read: (trx: Trx, ids: readonly number[]) => Promise<Map<number, object>>
  change: (trx: Trx, actor: Actor, id: number, changes: Changes, names: SpreadsheetNames) => Promise<void>
}

/** Adds and changes tasks as the rows of a file say. A task is known by its type and its name within that. */
export async function importTasks<Body, Changes extends object>(
  trx: Trx,
  file: TaskFile<Body, Changes>,
  { actor, batches, ended }: ImportContext,
): Promise<void> {
  const importing = new Importing(trx, file, {
    actor,
    types: await holdTypes(trx, file),
    ids: await readIds(trx, file.category),
    // Asking Google for the others would take longer than all the rest.
    names: await knownNames(trx),
  })
  for await (const rows of batches) {
    const outcomes = await importing.rows(rows)
    for (const row of rows) ended(row, outcomes.get(row) ?? { field: null, message: messages.unexpected })
  }
}

type RowType = Omit<KnownOfRow, 'name'>
type Context = {
  actor: Actor
  types: Map<string, RowType>
  /** The tasks that there were, by type and name. */
  ids: Map<string, number>
  names: SpreadsheetNames
}

const IDS_AT_A_TIME = 2_000

const keyOf = (type_id: number | null, name: string) => `${type_id} ${name}`

// They neither go away nor change their names before the import has ended; the engine goes on admitting runs of them.
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

// Once for all batches: the planner knows nothing of the rows that a long import has added, and would scan them each time.
// In pages, so that other requests come between them.
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

const Named = z.object({ name: Name })

/** `id` of the task that there is already. */
type Keyed = KnownOfRow & { row: ReadableRow; id: number | undefined }

class Importing<Body, Changes extends object> {
  readonly #trx: Trx
  readonly #file: TaskFile<Body, Changes>
  readonly #context: Context
  /** Row of each type and name that the file had so far. */
  readonly #seen = new Map<string, number>()
  #outcomes = new Map<ReadableRow, RowOutcome>()
  /** Whether the last rows to be added were refused, at least some of them. */
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
      const body = this.#unlessRefused(row, () => this.#file.toBody(row.cells, known))
      return body ? [{ row, body }] : []
    })
    await this.#add(additions)
    const ids = keyed.flatMap(({ id }) => id ?? [])
    const existing = ids.length > 0 ? await this.#file.read(this.#trx, ids) : new Map()
    for (const { row, id } of keyed) {
      if (id !== undefined) this.#outcomes.set(row, await this.#change(id, existing.get(id), row))
    }
    return this.#outcomes
  }

  #identify(row: ReadableRow): Keyed {
    const { type_column } = this.#file
    const { name } = parseInput(Named, { name: row.cells.name })
    const typeName = (row.cells[type_column] ?? '').normalize('NFC').trim()
    const type = this.#context.types.get(typeName)
    if (type === undefined)
      throw new NamedError('type_gone', { message: messages.csv_type_unknown(typeName), field: type_column })
    const key = keyOf(type.type_id, name)
    const earlier = this.#seen.get(key)
    if (earlier !== undefined)
      throw new NamedError('name_taken', { message: messages.csv_key_twice(earlier), field: 'name' })
    this.#seen.set(key, row.row)
    return { ...type, row, name, id: this.#context.ids.get(key) }
  }

  // All at once; where that is refused, without those of which it can be told why, which may be all of a file; where that is
  // refused too, half by half until the rows at fault are alone. What follows rows that were refused is not tried before.
  async #add(additions: { row: ReadableRow; body: Body }[]): Promise<void> {
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

  async #addByHalves(additions: { row: ReadableRow; body: Body }[]): Promise<void> {
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

  /** Adds all or none; null when they were added, otherwise why one of them was refused. */
  async #addAll(additions: { row: ReadableRow; body: Body }[]): Promise<RowRefusal | null> {
    const { actor, names } = this.#context
    const bodies = additions.map(({ body }) => body)
    try {
      await attempt(this.#trx, () => this.#file.add(this.#trx, actor, bodies, names))
    } catch (error) {
      return this.#refusalOf(error)
    }
    for (const { row } of additions) this.#outcomes.set(row, 'created')
    return null
  }

  async #change(id: number, task: object | undefined, row: ReadableRow): Promise<RowOutcome> {
    const { actor, names } = this.#context
    try {
      if (task === undefined) throw taskNotFound(this.#file.category)
      const changes = this.#file.toChanges(row.cells)
      const differs = Object.entries(changes).some(
        ([name, value]) => !isDeepStrictEqual(Reflect.get(task, name), value),
      )
      if (!differs) return 'unchanged'
      await attempt(this.#trx, () => this.#file.change(this.#trx, actor, id, changes, names))
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

  // What a caller would have been told of this row alone; throws on what is no refusal.
  #refusalOf(error: unknown): RowRefusal {
    const { columnOf, constraints } = this.#file
    if (error instanceof NamedError)
      return { field: error.field === undefined ? null : columnOf([error.field]), message: error.message }
    const violated = violatedConstraint(error, constraints)
    if (violated === undefined) throw error
    return { field: columnOf([violated.field]), message: errors[violated.error].message }
  }
}
