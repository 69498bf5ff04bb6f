import type { MergeSettings } from '../../../../contract/compiler-configs.ts'
import { limits } from '../../../../contract/limits.ts'
import { RunFailure } from '../../../engine/types.ts'
import type { StoredFormat } from '../../../snapshots/column-format.ts'
import { meantName } from '../../../snapshots/column-names.ts'
import type { MergedVersion } from '../../../snapshots/field-formats.ts'
import type { CompilePlan, Kept, NumberedSource, SourceVersion } from './compile-plan.ts'
import { planFields } from './plan-fields.ts'
import { readColumns } from './read-columns.ts'

// A byte says which source filled a field.
const MAX_SOURCES = 255

/**
 * The fields of a merge: the master's, then what each other source adds. Throws RunFailure for a source without a SKU column, with
 * two, or with two columns for one field, and for more than can be merged.
 */
export function planCompile(
  versions: readonly SourceVersion[],
  named: MergeSettings,
  kept: Kept = { fields: [], numbered: [] },
): CompilePlan {
  const numbered = [...kept.numbered]
  const settings = meantSettings(versions, named)
  const read = versions.map((version) => readColumns(version, settings.column_names))
  const { fields, groups, unknown } = planFields(
    versions.map(({ task_id }, source) => ({ task_id, fields: read[source]?.fields ?? new Map() })),
    settings,
    kept.fields,
  )
  refuseMore('fields', fields.length, limits.compiled_fields_max)
  const sources = versions.map((version, source) => ({
    ...version,
    sku_column: read[source]?.sku_column ?? 0,
    number: numberOf(version, numbered),
  }))
  refuseMore('sources', numbered.length, MAX_SOURCES)
  const warnings = [...read.flatMap(({ missing }) => missing), ...unknown]
  return { sources, fields, groups, numbered, warnings }
}

/** The settings with the names that the columns have: blanks around a name and its form in Unicode do not count. */
function meantSettings(versions: readonly SourceVersion[], settings: MergeSettings): MergeSettings {
  const all = new Set(versions.flatMap(({ columns }) => columns))
  const of = new Map(versions.map(({ task_id, columns }) => [task_id, new Set(columns)]))
  const meant = (names: readonly string[]) => [...new Set(names.map((name) => meantName(all, name)))]
  return {
    required_fields: meant(settings.required_fields),
    field_groups: settings.field_groups.map(meant),
    field_priorities: settings.field_priorities.map(({ field, ...priority }) => ({
      ...priority,
      field: meantName(all, field),
    })),
    column_names: settings.column_names.map(({ source_task_id, column, field }) => ({
      source_task_id,
      column: meantName(of.get(source_task_id) ?? all, column),
      field: meantName(all, field),
    })),
  }
}

function numberOf({ task_id, name }: SourceVersion, numbered: NumberedSource[]): number {
  const known = numbered.findIndex((source) => source.task_id === task_id)
  return known >= 0 ? known + 1 : numbered.push({ task_id, name })
}

function refuseMore(what: string, count: number, most: number): void {
  if (count > most)
    throw new RunFailure(`There are ${count} ${what}; at most ${most} can be compiled together.`, {
      retryable: false,
    })
}

/**
 * Which version of each numbered source is merged, in which of its columns each field is, and how that shows its numbers, by the
 * field's place; null where it is not merged, or the field in none.
 */
export const mergedVersions = ({ sources, fields, numbered }: CompilePlan): MergedVersion[] =>
  numbered.map((_, index) => {
    const place = sources.findIndex(({ number }) => number === index + 1)
    const source = sources[place]
    if (source === undefined) return null
    const columns = fields.map(({ from }) => from.find((one) => one.source === place)?.column ?? null)
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
