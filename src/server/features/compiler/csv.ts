import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { compilerFileMessages as messages } from '../../../contract/config-files/client-messages.ts'
import { type CellKind, readCells } from '../../platform/csv/cells.ts'
import type { Cells, CsvShape, CsvValues } from '../../platform/csv/rows.ts'
import { NamedError } from '../../platform/errors.ts'
import { OWNER_COLUMN } from '../../tasks/edit/import-tasks.ts'

/** Settings that are JSON in a file, because fields may have any name. */
const lists = {
  required_fields: 'json_list',
  field_groups: 'json_list',
  field_priorities: 'json_list',
  column_names: 'json_list',
  field_checks: 'json_list',
  field_rules: 'json_list',
} as const satisfies Record<string, CellKind>

const fields = {
  name: 'text',
  description: 'lines',
  is_active: 'flag',
  ...lists,
  approval_percent: 'number_or_none',
  stale_days: 'number_or_none',
  tags: 'list',
  notes: 'lines',
} as const satisfies Record<string, CellKind>

/** CSV columns of compiler configurations. The first source is not the master: that has a column of its own. */
export const configShape: CsvShape = {
  columns: [
    ...['name', 'description', 'is_active', 'sources', 'master_source'],
    ...[
      ...Object.keys(lists),
      'approval_percent',
      'stale_days',
      'sku_mappings',
      'tags',
      'notes',
      OWNER_COLUMN,
    ],
  ],
  required: ['name'],
  ignored: [],
}

/** A configuration as a row of a file has it. */
export type FileConfig = {
  [Field in keyof typeof fields]?: unknown
} & {
  name: string
  source_task_ids?: number[]
  master_source_id?: number | null
  sku_mappings?: SkuMapping[]
}
export type SkuMapping = { source_task_id: number; sku: string; master_sku: string }

/** Names of source tasks, and back. */
export type SourceNames = { nameOf: (id: number) => string; idOf: (name: string, field: string) => number }

/** Names by id; a name that several tasks have is replaced by the number of the task. */
export function sourceNames(tasks: readonly { id: number; name: string }[]): SourceNames {
  const byName = Map.groupBy(tasks, ({ name }) => name)
  const byId = new Map(tasks.map((task) => [task.id, task]))
  return {
    nameOf: (id) => {
      const name = byId.get(id)?.name
      return name !== undefined && byName.get(name)?.length === 1 ? name : `task-${id}`
    },
    idOf: (name, field) => {
      const found = byName.get(name.normalize('NFC').trim()) ?? []
      const numbered = byId.get(Number(/^task-(\d{1,9})$/.exec(name.trim())?.[1] ?? 0))
      const [one] = found.length > 0 ? found : numbered ? [numbered] : []
      const ids = found.map(({ id }) => id)
      if (one === undefined)
        throw new NamedError('invalid', { field, message: messages.source_unknown(name) })
      if (ids.length > 1)
        throw new NamedError('invalid', { field, message: messages.source_ambiguous(name, ids) })
      return one.id
    },
  }
}

type Stored = Record<keyof typeof fields, unknown> & {
  source_task_ids: number[]
  master_source_id: number | null
  sku_mappings: SkuMapping[]
  owner: string | null
}

/** A configuration as a row of a file. */
export function toCells(config: Stored, names: SourceNames): CsvValues {
  const { source_task_ids, master_source_id, sku_mappings, owner } = config
  const json = Object.keys(lists).map((field) => [
    field,
    JSON.stringify(withNames(config[field as keyof typeof lists], names)),
  ])
  return {
    name: String(config.name),
    description: String(config.description),
    is_active: config.is_active === true,
    sources: JSON.stringify(source_task_ids.map(names.nameOf)),
    master_source: master_source_id === null ? '' : names.nameOf(master_source_id),
    ...Object.fromEntries(json),
    approval_percent: config.approval_percent === null ? '' : Number(config.approval_percent),
    stale_days: config.stale_days === null ? '' : Number(config.stale_days),
    sku_mappings: JSON.stringify(withNames(sku_mappings, names)),
    tags: z.array(z.string()).parse(config.tags).join(', '),
    notes: String(config.notes),
    [OWNER_COLUMN]: owner ?? '',
  }
}

const Names = z.array(z.string())
const Mappings = z.array(
  z.strictObject({ source_task_id: z.int(), sku: z.string().min(1), master_sku: z.string().min(1) }),
)

/** A row of a file as the body of a call, for the contract to validate. Throws NamedError `invalid`. */
export function toBody(cells: Cells, names: SourceNames): FileConfig {
  const body = readCells(fields, cells)
  for (const field of Object.keys(lists))
    if (body[field] !== undefined) body[field] = withIds(body[field], names, field)
  const { sources, master_source, sku_mappings } = readCells(
    { sources: 'json_list', master_source: 'choice', sku_mappings: 'json_list' },
    cells,
  )
  return {
    ...body,
    name: String(body.name ?? ''),
    ...(sources !== undefined && {
      source_task_ids: listOf(Names, sources, 'sources').map((name) => names.idOf(name, 'sources')),
    }),
    ...(typeof master_source === 'string' && {
      master_source_id: names.idOf(master_source, 'master_source'),
    }),
    ...(sku_mappings !== undefined && {
      sku_mappings: listOf(Mappings, withIds(sku_mappings, names, 'sku_mappings'), 'sku_mappings'),
    }),
  }
}

function listOf<T>(schema: z.ZodType<T>, value: unknown, field: string): T {
  const parsed = schema.safeParse(value)
  if (!parsed.success) throw new NamedError('invalid', { field, message: messages.no_list })
  return parsed.data
}

/** CSV column of a body path. */
export function columnOf([field = '']: PropertyKey[]): string {
  if (field === 'source_task_ids') return 'sources'
  if (field === 'master_source_id') return 'master_source'
  return field === 'owner_id' ? OWNER_COLUMN : String(field)
}

/** Whether a row of a file changes nothing of a configuration. */
export const isUnchanged = (body: object, stored: object): boolean =>
  Object.entries(body).every(([field, value]) =>
    isDeepStrictEqual(value, (stored as Record<string, unknown>)[field]),
  )

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Replaces the numbers of source tasks by their names, at any depth. */
function withNames(value: unknown, names: SourceNames): unknown {
  if (Array.isArray(value)) return value.map((one) => withNames(one, names))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => {
      if (key === 'source_task_id') return ['source', names.nameOf(Number(one))]
      if (key === 'source_task_ids') return ['sources', z.array(z.number()).parse(one).map(names.nameOf)]
      return [key, withNames(one, names)]
    }),
  )
}

/** Replaces the names of source tasks by their numbers. Throws NamedError `invalid`. */
function withIds(value: unknown, names: SourceNames, field: string): unknown {
  if (Array.isArray(value)) return value.map((one) => withIds(one, names, field))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => {
      if (key === 'source') return ['source_task_id', names.idOf(String(one), field)]
      if (key === 'sources')
        return ['source_task_ids', listOf(Names, one, field).map((name) => names.idOf(name, field))]
      return [key, withIds(one, names, field)]
    }),
  )
}
