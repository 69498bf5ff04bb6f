import { sql } from 'kysely'
import { z } from 'zod'
import { formatted } from '../../../contract/counted.ts'
import { checkText, ruleText } from '../../../contract/field-checks/describe-checks.ts'
import { FieldCheck, FieldRule } from '../../../contract/field-checks/field-checks.ts'
import { csvTargetLabel } from '../../../contract/file-targets/client-messages.ts'
import { Filter } from '../../../contract/rows/conditions.ts'
import {
  columnText,
  completenessText,
  extraColumnText,
  filterText,
  sortText,
} from '../../../contract/rows/describe.ts'
import { ChosenColumn, Completeness, ExtraColumn, SortColumn } from '../../../contract/rows/row-settings.ts'
import { writeLabel } from '../../../contract/rows/write-labels.ts'
import { FurtherSource } from '../../../contract/rows/write-settings.ts'
import { RunLimits } from '../../../contract/run-limits/calls.ts'
import { limitMessages } from '../../../contract/run-limits/client-messages.ts'
import {
  settingChangeServerMessages as messages,
  settingLabels,
} from '../../../contract/setting-changes/server-messages.ts'
import type { Db } from '../../platform/db.ts'

/** Kinds of ids in settings. */
const kinds = {
  type: ['task_type_id', 'depends_on_id'],
  config: ['source_compiler_config_id', 'compiler_config_id'],
  preset: ['sync_preset_id'],
  user: ['owner_id', 'account_user_id'],
  task: ['source_task_ids', 'master_source_id', 'source_task_id'],
  spreadsheet: ['source_ss_id', 'target_ss_id', 'spreadsheet_id'],
} as const
type Kind = keyof typeof kinds

const kindOf = new Map<string, Kind>(
  z
    .array(z.enum(['type', 'config', 'preset', 'user', 'task', 'spreadsheet']))
    .parse(Object.keys(kinds))
    .flatMap((kind) => kinds[kind].map((column) => [column, kind] as const)),
)

/** Names by kind and id. */
export type Names = ReadonlyMap<string, string>

const MAX_CHARACTERS = 500

const keyOf = (kind: Kind, id: unknown) => `${kind} ${id}`

/** Loads the names of all ids in these values, as far as they exist. */
export async function readNames(db: Db, values: readonly Record<string, unknown>[]): Promise<Names> {
  const ids: Record<Kind, Set<string>> = {
    ...{ type: new Set(), config: new Set(), preset: new Set() },
    ...{ user: new Set(), task: new Set(), spreadsheet: new Set() },
  }
  const collect = (column: string, value: unknown): void => {
    const kind = kindOf.get(column)
    if (kind && (typeof value === 'number' || typeof value === 'string')) ids[kind].add(String(value))
    else if (Array.isArray(value)) for (const one of value) collect(column, one)
    else if (typeof value === 'object' && value !== null)
      for (const [name, one] of Object.entries(value)) collect(name, one)
  }
  for (const one of values) collect('', one)
  if (Object.values(ids).every(({ size }) => size === 0)) return new Map()
  const of = (kind: Kind) => sql`${[...ids[kind]]}::text[]`
  const { rows } = await sql<{ key: string; name: string }>`
    select 'type ' || id as key, name from task_types where id = any (${of('type')}::int[])
    union all select 'config ' || c.id, t.name from compiler_configs c join tasks t on t.id = c.task_id
      where c.id = any (${of('config')}::int[])
    union all select 'preset ' || id, name from sync_presets where id = any (${of('preset')}::int[])
    union all select 'user ' || id, email from users where id = any (${of('user')}::int[])
    union all select 'task ' || id, name from tasks where id = any (${of('task')}::int[])
    union all select 'spreadsheet ' || spreadsheet_id, name from spreadsheet_names
      where spreadsheet_id = any (${of('spreadsheet')})`.execute(db)
  return new Map(rows.map(({ key, name }) => [key, name]))
}

export const labelOf = (column: string): string => settingLabels[column] ?? column

/** A value of a setting as text, at most 500 characters. */
export function inWords(column: string, value: unknown, names: Names): string {
  const text = textOf(column, value, names)
  return text.length > MAX_CHARACTERS ? messages.cut(text.slice(0, MAX_CHARACTERS - 1)) : text
}

const Priority = z.object({ field: z.string(), source_task_ids: z.array(z.int()) })
const Renamed = z.object({ source_task_id: z.int(), column: z.string(), field: z.string() })
const Dependency = z.object({ depends_on_id: z.int(), condition: z.enum(['success', 'completion']) })

function textOf(column: string, value: unknown, names: Names): string {
  if (column === 'on_cells_beside' && value === null) return messages.until_saved
  if (value === null || value === undefined) return messages.none
  if (value === '') return messages.blank
  if (typeof value === 'boolean') return value ? messages.yes : messages.no
  if (Array.isArray(value))
    return value.length === 0 ? messages.none : value.map((one) => partOf(column, one, names)).join(', ')
  if (column === 'limits') return limitsInWords(value, names)
  const kind = kindOf.get(column)
  if (kind === 'spreadsheet') return names.get(keyOf(kind, value)) ?? String(value)
  if (kind && typeof value === 'number') return names.get(keyOf(kind, value)) ?? messages.numbered(value)
  if (typeof value === 'number') return formatted(value)
  if (column === 'source_type') return messages.source_types[String(value)] ?? String(value)
  if (column === 'completeness') return completenessText(Completeness.parse(value))
  if (column === 'filter') return filterText(Filter.parse(value))
  if (typeof value !== 'string') return JSON.stringify(value)
  return writeLabel(column, value) ?? csvTargetLabel(column, value) ?? value
}

function limitsInWords(value: unknown, names: Names): string {
  const set = Object.entries(RunLimits.parse(value))
  const texts = set.map(([name, one]) => `${LABELS[name] ?? name}: ${textOf(name, one, names)}`)
  return texts.length === 0 ? messages.none : texts.join('; ')
}

const LABELS: Readonly<Record<string, string>> = limitMessages.labels

function partOf(column: string, part: unknown, names: Names): string {
  const name = (id: number, key: string) => textOf(key, id, names)
  if (column === 'field_groups') return z.array(z.string()).parse(part).join(' = ')
  if (column === 'field_priorities') {
    const { field, source_task_ids } = Priority.parse(part)
    return `${field}: ${source_task_ids.map((id) => name(id, 'source_task_id')).join(' > ')}`
  }
  if (column === 'column_names') {
    const renamed = Renamed.parse(part)
    return `${name(renamed.source_task_id, 'source_task_id')}: ${renamed.column} → ${renamed.field}`
  }
  if (column === 'field_checks') return checkText(FieldCheck.parse(part))
  if (column === 'field_rules') return ruleText(FieldRule.parse(part))
  if (column === 'dependencies') {
    const { depends_on_id, condition } = Dependency.parse(part)
    return `${name(depends_on_id, 'depends_on_id')} ${messages.condition[condition]}`
  }
  if (column === 'columns') return columnText(ChosenColumn.parse(part))
  if (column === 'sort_by') return sortText(SortColumn.parse(part))
  if (column === 'more_sources') return furtherSource(FurtherSource.parse(part), names)
  if (column === 'extra_columns') return extraColumnText(ExtraColumn.parse(part))
  return textOf(column, part, names)
}

const furtherSource = (source: FurtherSource, names: Names): string =>
  source.source_type === 'internal'
    ? textOf('source_compiler_config_id', source.source_compiler_config_id, names)
    : messages.further_source(textOf('source_ss_id', source.source_ss_id, names), source.source_sheet_name)
