import type { MergeSettings } from '../../../../contract/compiler/configs.ts'
import { limits } from '../../../../contract/limits.ts'
import { RunFailure } from '../../../engine/types.ts'
import type { StoredFormat } from '../../../snapshots/column-format.ts'
import { resolveName } from '../../../snapshots/column-names.ts'
import type { MergedVersion } from '../../../snapshots/field-formats.ts'
import type {
  CheckList,
  CompilePlan,
  NumberedSource,
  SourceVersion,
  UnchangedLayout,
} from './compile-plan.ts'
import { planChecks } from './plan-checks.ts'
import { planDecisions, type StoredDecision } from './plan-decisions.ts'
import { planFields } from './plan-fields.ts'
import { planOverrides, type StoredOverride } from './plan-overrides.ts'
import { readColumns } from './read-columns.ts'

// Records store the source of a field in one byte.
const MAX_SOURCES = 255

/**
 * Plans a merge. `lists`: values of `one_of_column` checks by the number of their check. Its fields are those of `unchanged` records, then the master's, then those that each other source adds. Throws
 * RunFailure if a source has no SKU column, two of them, or two columns for one field, and if there are too many fields or sources.
 */
export function planCompile(
  versions: readonly SourceVersion[],
  named: MergeSettings,
  unchanged: UnchangedLayout = { fields: [], numbered: [] },
  lists: ReadonlyMap<number, CheckList> = new Map(),
  overrides: readonly StoredOverride[] = [],
  decisions: readonly StoredDecision[] = [],
): CompilePlan {
  const numbered = [...unchanged.numbered]
  const settings = resolveNames(versions, named)
  const read = versions.map((version) => readColumns(version, settings.column_names))
  const { fields, groups, unknown } = planFields(
    versions.map(({ task_id }, source) => ({ task_id, fields: read[source]?.fields ?? new Map() })),
    settings,
    { unchanged: unchanged.fields, preferred: preferredSources(versions, decisions) },
  )
  refuseMoreThan(limits.compiled_fields_max, 'fields', fields.length)
  const sources = versions.map((version, source) => ({
    ...version,
    sku_column: read[source]?.sku_column ?? 0,
    number: numberOf(version, numbered),
  }))
  refuseMoreThan(MAX_SOURCES, 'sources', numbered.length)
  const warnings = [
    ...read.flatMap(({ missing }) => missing),
    ...unknown.map((message) => ({ subject: message, message })),
  ]
  const judging = planChecks(
    fields.map(({ name }) => name),
    settings,
    lists,
  )
  const planned = planOverrides(
    fields.map(({ name }) => name),
    overrides,
  )
  const decided = planDecisions(
    fields,
    versions.map(({ task_id }) => task_id),
    decisions,
  )
  return {
    ...{ sources, fields, groups, numbered, warnings },
    ...(judging && { judging }),
    ...(planned && { overrides: planned }),
    ...(decided && { decisions: decided }),
  }
}

/** Sources that people decided to prefer, by the name of the field as a column has it. */
function preferredSources(
  versions: readonly SourceVersion[],
  decisions: readonly StoredDecision[],
): ReadonlyMap<string, number> {
  const all = new Set(versions.flatMap(({ columns }) => columns))
  return new Map(
    decisions.flatMap(({ field, source_task_id }) =>
      source_task_id === null ? [] : [[resolveName(all, field), source_task_id]],
    ),
  )
}

/** Replaces the names in the settings by the names of the columns they mean: surrounding blanks and the Unicode form are ignored. */
function resolveNames(versions: readonly SourceVersion[], settings: MergeSettings): MergeSettings {
  const all = new Set(versions.flatMap(({ columns }) => columns))
  const of = new Map(versions.map(({ task_id, columns }) => [task_id, new Set(columns)]))
  const resolve = (names: readonly string[]) => [...new Set(names.map((name) => resolveName(all, name)))]
  return {
    required_fields: resolve(settings.required_fields),
    field_groups: settings.field_groups.map(resolve),
    field_priorities: settings.field_priorities.map(({ field, ...priority }) => ({
      ...priority,
      field: resolveName(all, field),
    })),
    column_names: settings.column_names.map(({ source_task_id, column, field }) => ({
      source_task_id,
      column: resolveName(of.get(source_task_id) ?? all, column),
      field: resolveName(all, field),
    })),
    field_checks: settings.field_checks.map((check) => ({
      ...check,
      field: resolveName(all, check.field),
      ...(check.kind === 'compare' && { other_field: resolveName(all, check.other_field) }),
    })),
    field_rules: settings.field_rules.map(({ field, steps }) => ({ field: resolveName(all, field), steps })),
  }
}

function numberOf({ task_id, name }: SourceVersion, numbered: NumberedSource[]): number {
  const known = numbered.findIndex((source) => source.task_id === task_id)
  return known >= 0 ? known + 1 : numbered.push({ task_id, name })
}

function refuseMoreThan(max: number, what: string, count: number): void {
  if (count > max)
    throw new RunFailure(`There are ${count} ${what}; at most ${max} can be compiled together.`, {
      retryable: false,
    })
}

/**
 * For each numbered source: the version that is merged, the column of each field (null: it has none) and the number formats of those
 * columns, by the field's index. Null for a source that is not merged.
 */
export const mergedVersions = ({ sources, fields, numbered }: CompilePlan): MergedVersion[] =>
  numbered.map((_, index) => {
    const position = sources.findIndex(({ number }) => number === index + 1)
    const source = sources[position]
    if (source === undefined) return null
    const columns = fields.map(({ from }) => from.find((one) => one.source === position)?.column ?? null)
    const shown = columns.map((column) => (column === null ? null : source.formats.of(column)))
    const entries = <T>(of: (format: StoredFormat) => T | null) =>
      Object.fromEntries(
        shown.flatMap((format, field) => {
          const entry = format && of(format)
          return entry ? [[field, entry] as const] : []
        }),
      )
    const formats = entries(({ format }) => format)
    return { snapshot_id: source.snapshot_id, columns, formats, runs: entries(({ runs }) => runs) }
  })
