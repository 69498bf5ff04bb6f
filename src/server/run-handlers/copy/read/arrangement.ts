import { isBlankValue } from '../../../../contract/field-checks/field-rules.ts'
import { matcher } from '../../../../contract/rows/matches.ts'
import type { RowSettings } from '../../../../contract/rows/row-settings.ts'
import { rowServerMessages as messages } from '../../../../contract/rows/server-messages.ts'
import type { Row } from '../../../../contract/tables.ts'
import { RunFailure } from '../../../engine/types.ts'
import { findColumn, headerNames, nearestNames, plainName } from '../../../snapshots/column-names.ts'
import { Projection } from './projection.ts'
import { type Order, orderBy } from './row-order.ts'

const SKU = 'SKU'

/** Which rows and columns of a source are copied. `excluded_fields` are columns that never are, by header. */
export type ArrangeSettings = RowSettings & { excluded_fields: readonly string[] }

/** How the rows of a source become those of the copy. Settings name columns by their headers, as `headerNames` gives them. */
export type Arrangement = {
  projection: Projection
  /** Whether a data row of the source is copied. */
  passes: (row: Row) => boolean
  /** Null: the order of the source. */
  order: Order | null
  /** Maximum number of data rows. */
  max_rows: number
  /** Which data rows are complete; null: incomplete ones are copied, too. `sku`: columns of the SKU in source and copy. */
  needed: { isComplete: (row: Row) => boolean; sku: { source: number; copy: number } } | null
  /** Whether rows are left out or moved. */
  changesRows: boolean
  /** Whether the table is copied as it is. */
  isWhole: boolean
}

/** Resolves the settings for a header row. Throws RunFailure if a column is missing, or if two would have the same name. */
export function arrange(header: Row, settings: ArrangeSettings, title: string): Arrangement {
  const names = headerNames(header)
  const projection = new Projection(header, settings)
  const { filter, sort_by, max_rows } = settings
  const used = [
    ...[...(filter?.conditions ?? []), ...sort_by].map(({ column }) => column),
    ...((settings.completeness?.only_complete && settings.completeness.fields) || []),
  ]
  const missing = [...projection.missing, ...used.filter((name) => findColumn(names, name) < 0)]
  if (missing.length > 0) throw failure(messages.missing(title, [...new Set(missing)], near(missing, names)))
  const given = [...(settings.columns ?? []), ...settings.extra_columns].map(({ name }) => plainName(name))
  const shown = projection.header.map((cell) => plainName(String(cell ?? '')))
  const twice = given.find((name) => shown.indexOf(name) !== shown.lastIndexOf(name))
  if (twice !== undefined) throw failure(messages.taken(twice))

  const needed = settings.completeness?.only_complete ? neededFields(header, projection, settings) : null
  const changesRows = filter !== null || sort_by.length > 0 || max_rows !== null || needed !== null
  const conditions = (filter?.conditions ?? []).map((condition) => {
    const [column, matches] = [findColumn(names, condition.column), matcher(condition)]
    return (row: Row) => matches(row[column] ?? null)
  })
  return {
    projection,
    passes: (row) =>
      conditions.length === 0 ||
      (filter?.match === 'any'
        ? conditions.some((holds) => holds(row))
        : conditions.every((holds) => holds(row))),
    order:
      sort_by.length === 0
        ? null
        : orderBy(sort_by.map((by) => ({ ...by, index: findColumn(names, by.column) }))),
    max_rows: max_rows ?? Number.POSITIVE_INFINITY,
    needed,
    changesRows,
    isWhole: projection.isWhole && !changesRows,
  }
}

/** What a record needs to be written. Settings are refused if the SKU is not copied. */
function neededFields(
  header: Row,
  projection: Projection,
  { completeness }: ArrangeSettings,
): Arrangement['needed'] {
  const names = headerNames(header)
  const columns = completeness?.fields
    ? completeness.fields.map((name) => findColumn(names, name))
    : [...names.keys()].filter((column) => !projection.isExcluded(column))
  const source = findColumn(names, SKU)
  const copy = projection.header.findIndex((_, column) => projection.sourceColumn(column) === source)
  return {
    isComplete: (row) => columns.every((column) => !isBlankValue(row[column] ?? null)),
    sku: { source, copy },
  }
}

const near = (missing: readonly string[], names: readonly string[]) => nearestNames(missing[0] ?? '', names)

const failure = (message: string) => new RunFailure(message, { retryable: false })
