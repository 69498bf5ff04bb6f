import { isSkuName, type MergeSettings } from '../../../../contract/compiler/configs.ts'
import { RunFailure } from '../../../engine/types.ts'
import type { PlanWarning, SourceVersion } from './compile-plan.ts'

// Properties of a record.
const RESERVED_NAMES = new Set([
  'sku',
  'source_count',
  'has_blanks',
  'has_errors',
  'is_duplicate',
  'validation_notes',
  'number_formats',
  'created_at',
  'updated_at',
  'compiler_config_id',
])

/** The SKU column of a source, and the column of each field. */
export type ReadColumns = {
  sku_column: number
  fields: Map<string, number>
  /** Warnings about renamed columns that the source does not have. */
  missing: PlanWarning[]
}

/** Assigns the columns of a source to fields. Throws RunFailure if there is no SKU column, two of them, or two columns for one field. */
export function readColumns(
  { name, task_id, columns }: SourceVersion,
  column_names: MergeSettings['column_names'],
): ReadColumns {
  const renamed = new Map(
    column_names.flatMap(({ source_task_id, column, field }) =>
      source_task_id === task_id ? [[column, field] as const] : [],
    ),
  )
  const missing = [...renamed.keys()].filter((column) => !columns.includes(column))
  const headings = columns.map((heading, column) => ({
    heading,
    column,
    field: renamed.get(heading) ?? heading,
  }))
  const { column: sku_column } = onlyOne(
    name,
    'SKU',
    headings.filter(({ field }) => isSkuName(field)),
  )
  const others = Map.groupBy(
    headings.filter(({ column }) => column !== sku_column),
    ({ field }) => fieldName(field),
  )
  return {
    sku_column,
    fields: new Map([...others].map(([field, found]) => [field, onlyOne(name, field, found).column])),
    missing: missing.map((column) => ({
      subject: `‘${name}’ has no column ‘${column}’, which was to be read under another name.`,
      message: `The renamed column ‘${column}’ does not exist in ‘${name}’.`,
    })),
  }
}

type Heading = { heading: string; column: number }

function onlyOne(source: string, wanted: string, found: readonly Heading[]): Heading {
  const [first, ...others] = found
  if (first === undefined)
    throw new RunFailure(`‘${source}’ has no column named ${wanted}.`, { retryable: false })
  if (others.length > 0)
    throw new RunFailure(
      `‘${source}’ has ${found.length} columns named ${wanted}: ${found.map(({ heading }) => `‘${heading}’`).join(', ')}.`,
      { retryable: false },
    )
  return first
}

/** Field name of a heading; a reserved name gets a trailing underscore. */
const fieldName = (heading: string): string => (RESERVED_NAMES.has(heading) ? `${heading}_` : heading)
