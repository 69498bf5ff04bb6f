import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { z } from 'zod'
import { csvJobServerMessages } from '../../../../contract/csv-jobs/server-messages.ts'
import { Name } from '../../../../contract/fields.ts'

import { sourceTaskTypes, syncTaskTypes } from '../../../../contract/task-types/calls.ts'
import type { CsvImport, ReadableRow, RowRefusal } from '../../../csv-jobs/import.ts'
import type { Actor } from '../../../platform/audit.ts'
import type { Cells } from '../../../platform/csv/rows.ts'
import type { Trx } from '../../../platform/db.ts'
import { NamedError } from '../../../platform/errors.ts'
import { parseInput } from '../../../platform/http/parse.ts'
import { readReadyBy } from '../../../tasks/forecast/csv-ready-by.ts'
import { saveReadyBy } from '../../../tasks/forecast/save-ready-by.ts'
import {
  type FileCategory,
  readDependencies,
  type StoredType,
  shapes,
  storedTypes,
  type TypeKey,
  toBody,
} from '../csv.ts'
import { lockDependencies } from './dependencies.ts'
import { addTaskType, changeTaskType } from './edit.ts'
import { planImport, type Wanted } from './import-plan.ts'
import { checkSettings, type Settings } from './settings.ts'

const Options = z.object({
  overwrite_existing: z.boolean().default(true),
  validate_cron: z.boolean().default(true),
  activate_imported: z.boolean().default(false),
})
type Options = z.output<typeof Options>

const calls = { sync: syncTaskTypes, source: sourceTaskTypes }
const Named = z.object({ name: Name })

/** Imports types of a category from CSV. A row identifies a type by name. */
export const typeImport = (category: FileCategory): CsvImport => ({
  type: `${category}_task_type`,
  shape: shapes[category],
  run: async (trx, { actor, options, batches, ended }) => {
    // Prevents concurrent changes of types until the transaction ends.
    await lockDependencies(trx)
    const stored = await storedTypes(trx, null)
    const types = new Map(stored.map((type) => [keyOf(type.category, type.settings.name), type]))
    const reader = createReader(category, Options.parse(options), types)
    const entries: Entry[] = []
    for await (const rows of batches)
      for (const row of rows) {
        const read = reader(row)
        if ('refusal' in read) ended(row, read.refusal)
        else if ('skipped' in read) ended(row, 'skipped', [{ field: 'name', message: read.skipped }])
        else entries.push(read)
      }
    const existing = new Map([...types].map(([key, type]) => [key, type.dependencies.map((one) => one.key)]))
    const { refused, accepted } = planImport(existing, entries)
    for (const [{ row }, refusal] of refused) ended(row, refusal)
    const ids = new Map([...types].map(([key, { id }]) => [key, id]))
    for (const entry of accepted)
      ended(entry.row, await write(trx, { actor, category, ids }, entry), entry.remarks)
    await orderAsInFile(
      trx,
      entries.flatMap(({ key, isNew }) => (isNew ? (ids.get(key) ?? []) : [])),
    )
  },
})

const keyOf = (category: string, name: string) => `${category} ${name}` as TypeKey

/** Parsed row of a type. `settings` exclude dependencies. */
type Entry = Wanted & {
  row: ReadableRow
  type: StoredType | undefined
  settings: Settings & { name: string }
  /** Undefined: unchanged. */
  ready_by: string | null | undefined
  remarks: RowRefusal[]
}

function createReader(category: FileCategory, options: Options, types: Map<TypeKey, StoredType>) {
  const seen = new Map<string, number>()
  return (row: ReadableRow): Entry | { refusal: RowRefusal } | { skipped: string } => {
    try {
      const { name } = parseInput(Named, { name: row.cells.name })
      const earlier = seen.get(name)
      if (earlier !== undefined)
        throw new NamedError('type_name_taken', {
          message: csvJobServerMessages.csv_name_twice(earlier),
          field: 'name',
        })
      seen.set(name, row.row)
      const key = keyOf(category, name)
      const type = types.get(key)
      if (type && !options.overwrite_existing) return { skipped: csvJobServerMessages.type_skipped(name) }
      const read = readSettings(category, options, row, type !== undefined)
      return {
        row,
        key,
        type,
        isNew: type === undefined,
        dependencies: changedDependencies(row.cells.dependencies, category, type),
        ready_by: changedReadyBy(row.cells, type),
        ...read,
        settings: { ...read.settings, name },
      }
    } catch (error) {
      if (!(error instanceof NamedError)) throw error
      return { refusal: { field: error.field ?? null, message: error.message } }
    }
  }
}

function changedDependencies(cell: string | undefined, category: FileCategory, type: StoredType | undefined) {
  const named = cell === undefined ? undefined : readDependencies(cell, category)
  return isDeepStrictEqual(named, type?.dependencies) ? undefined : named
}

function changedReadyBy(cells: Cells, type: StoredType | undefined) {
  const ready_by = readReadyBy(cells)
  return ready_by === (type?.ready_by ?? null) ? undefined : ready_by
}

function readSettings(category: FileCategory, options: Options, { cells }: ReadableRow, exists: boolean) {
  const remarks: RowRefusal[] = []
  const body = { ...toBody(cells), ...(options.activate_imported && { is_active: true }) }
  const { create, update } = calls[category]
  const parse = (given: object) => parseInput(exists ? update.body : create.body, given)
  const settings = parse(body)
  try {
    checkSettings(category, settings)
  } catch (error) {
    if (!(error instanceof NamedError) || error.code !== 'cron_invalid' || options.validate_cron) throw error
    settings.cron_schedule = null
    const name = cells.name?.trim() ?? ''
    remarks.push({
      field: 'cron_schedule',
      message: csvJobServerMessages.type_unscheduled(name, error.message),
    })
  }
  return { settings, remarks }
}

type Hand = { actor: Actor; category: FileCategory; ids: Map<TypeKey, number> }

async function write(trx: Trx, { actor, category, ids }: Hand, entry: Entry) {
  const { key, type } = entry
  const dependencies = entry.dependencies?.flatMap((one) => {
    const id = ids.get(one.key)
    return id === undefined ? [] : [{ dependency_task_type_id: id, condition_type: one.condition }]
  })
  const body = { ...entry.settings, ...(dependencies && { dependencies }) }
  const setTime = async (id: number) => {
    if (entry.ready_by !== undefined) await saveReadyBy(trx, actor, { kind: 'type', id }, entry.ready_by)
  }
  if (type === undefined) {
    const { create } = calls[category]
    const id = await addTaskType(trx, actor, category, create.body.parse(body))
    ids.set(key, id)
    await setTime(id)
    return 'created'
  }
  const is_changed = dependencies !== undefined || differs(entry.settings, type)
  if (!is_changed && entry.ready_by === undefined) return 'unchanged'
  if (is_changed) await changeTaskType(trx, actor, { category, id: type.id }, body)
  await setTime(type.id)
  return 'updated'
}

function differs(settings: Settings, type: StoredType): boolean {
  const before = new Map<string, unknown>(Object.entries(type.settings))
  return Object.entries(settings).some(
    ([name, value]) => before.has(name) && value !== undefined && value !== before.get(name),
  )
}

// Restores file order, because types were added in topological order.
async function orderAsInFile(trx: Trx, ids: number[]): Promise<void> {
  if (ids.length === 0) return
  await sql`
    with added as (select min(sort_order) as first from task_types where id = any(${ids}::int[]))
    update task_types t set sort_order = added.first + file.place - 1
    from added, unnest(${ids}::int[]) with ordinality as file (id, place)
    where t.id = file.id`.execute(trx)
}
