import { isDeepStrictEqual } from 'node:util'
import type { Change } from '../../../connectors/connector.ts'
import { type FormatRuns, formatAt } from '../../../snapshots/column-format.ts'
import type { CopyAttempt } from '../attempt.ts'
import type { Difference } from '../compare/compare.ts'
import type { Tables } from '../read/read-tables.ts'
import { applyChange } from '../write/write-difference.ts'

type Formats = Change['formats']

/**
 * Reads back the formats written to columns with several formats. Writes missing formats once more, then warns about columns that
 * still differ. `difference`: as the rows were read back.
 */
export async function verifyFormats(
  attempt: CopyAttempt,
  tables: Tables,
  { written, difference }: { written: Formats; difference: Difference },
): Promise<void> {
  const { context } = attempt
  const { target, copy } = tables
  const wanted = written.filter(({ column }) => copy.formats.of(column).runs !== null)
  if (wanted.length === 0 || !target.readFormats) return
  const columns = [...new Set(wanted.map(({ column }) => column))]
  const rows = copy.fingerprint.rows - 1
  await context.progress({ phase: 'Verifying number formats' })
  const differing = async () => {
    const found = await target.readFormats?.(columns, rows)
    return wanted.filter((change) => !isShown(change, found?.get(change.column) ?? [], rows))
  }
  const missing = await differing()
  if (missing.length === 0) return
  const namesOf = (some: Formats) =>
    [...new Set(some.map(({ column }) => target.columnName(column)))].join(', ')
  await context.log(
    'WARNING',
    `${target.title} does not show the number formats that were written in column ${namesOf(missing)}. Writing them again.`,
  )
  await applyChange(attempt, tables, difference, { formats: missing, rowsAbove: [], isRepair: true })
  const left = await differing()
  if (left.length === 0) return
  const message = `${target.provider} shows other number formats than were written in column ${namesOf(left)} of ${target.title}.`
  await context.warn({ kind: 'formats-otherwise', subject: namesOf(left), message })
}

/** Whether all rows of a format change show the format. */
function isShown({ from, to, format }: Formats[number], runs: FormatRuns, rows: number): boolean {
  const end = to ?? rows + 1
  const found = { format: null, runs }
  return (
    isDeepStrictEqual(formatAt(found, from), format) &&
    runs.every(({ row, ...run }) => row <= from || row >= end || isDeepStrictEqual(run.format, format))
  )
}
