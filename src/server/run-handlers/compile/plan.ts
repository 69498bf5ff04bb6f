import { limits } from '../../../contract/limits.ts'
import { RunFailure } from '../../engine/types.ts'

/** A version of a source's rows that a compile reads: its columns by their names. */
export type SourceVersion = {
  task_id: number
  name: string
  snapshot_id: number
  columns: string[]
  row_count: number
}

/** Where a field's values are, in the order in which they win: the source's place in `CompilePlan.sources`, and its column. */
export type Field = { name: string; from: { source: number; column: number }[] }

/** A source as records know it: by a number that counts from 1. */
export type NumberedSource = { task_id: number; name: string }

/** What is merged: sources by who wins, the first being the master, each with the column of its SKU and its number. */
export type CompilePlan = {
  sources: (SourceVersion & { sku_column: number; number: number })[]
  fields: Field[]
  /** All sources that records may name, in the order of their numbers. */
  numbered: NumberedSource[]
}

/** Records that stay: their fields keep their places, and their sources their numbers. */
export type Kept = { fields: readonly string[]; numbered: readonly NumberedSource[] }

// A byte says which source filled a field.
const MOST_SOURCES = 255

// What a record has beside its fields: a field of that name gets another one.
const FIXED = new Set([
  'sku',
  'source_count',
  'has_blanks',
  'has_errors',
  'is_duplicate',
  'validation_notes',
  'created_at',
  'updated_at',
  'compiler_config_id',
])

/**
 * The fields of a merge: the master's, then what each other source adds. Throws RunFailure for a source without a SKU column, or
 * with two, and for more than can be merged.
 */
export function planCompile(
  versions: readonly SourceVersion[],
  kept: Kept = { fields: [], numbered: [] },
): CompilePlan {
  const fields = new Map<string, Field>(kept.fields.map((name) => [name, { name, from: [] }]))
  const numbered = [...kept.numbered]
  const sources = versions.map((version, source) => {
    const sku_column = skuColumn(version)
    for (const [column, heading] of version.columns.entries()) {
      if (column === sku_column) continue
      const name = fieldName(heading)
      const field = fields.get(name) ?? { name, from: [] }
      fields.set(name, field)
      field.from.push({ source, column })
    }
    return { ...version, sku_column, number: numberOf(version, numbered) }
  })
  refuseMore('sources', numbered.length, MOST_SOURCES)
  refuseMore('fields', fields.size, limits.compiled_fields_max)
  return { sources, fields: [...fields.values()], numbered }
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

/** What a column is called in a record. */
const fieldName = (heading: string): string => (FIXED.has(heading) ? `${heading}_` : heading)

function skuColumn({ name, columns }: SourceVersion): number {
  const found = columns.flatMap((heading, column) => (isSku(heading) ? [{ heading, column }] : []))
  const [first, second] = found
  if (first === undefined) throw new RunFailure(`‘${name}’ has no column named SKU.`, { retryable: false })
  if (second !== undefined)
    throw new RunFailure(
      `‘${name}’ has ${found.length} columns named SKU: ${found.map(({ heading }) => `‘${heading}’`).join(', ')}.`,
      { retryable: false },
    )
  return first.column
}

const isSku = (heading: string) => heading.replace(/[\s_-]/g, '').toLowerCase() === 'sku'

/** Which version of each numbered source is merged, and in which of its columns each field is; null where it is not merged, or the field in none. */
export const mergedVersions = ({ sources, fields, numbered }: CompilePlan) =>
  numbered.map((_, index) => {
    const place = sources.findIndex(({ number }) => number === index + 1)
    const source = sources[place]
    return source === undefined
      ? null
      : {
          snapshot_id: source.snapshot_id,
          columns: fields.map(({ from }) => from.find((one) => one.source === place)?.column ?? null),
        }
  })
