import { hash } from 'node:crypto'
import type { EffectiveLimits } from '../../../../contract/run-limits/calls.ts'
import { runLimitMessages as messages } from '../../../../contract/run-limits/server-messages.ts'
import type { CellValue } from '../../../../contract/tables.ts'
import type { RunContext } from '../../../engine/types.ts'
import { headerName } from '../../../snapshots/column-names.ts'
import { snapshotTexts } from '../../../snapshots/snapshot.ts'
import type { CheckedTab } from './checked-tab.ts'
import type { Excess } from './excess.ts'

type Copy = Pick<CheckedTab['copy'], 'snapshot_id' | 'header' | 'rows'>

// 52 bits, which a number holds exactly.
const HASH_DIGITS = 13

/** Columns of the copy that do not exist, have blank cells or repeat a value although they must not. Blank rows do not count. */
export async function columnConditions(
  context: RunContext,
  copy: Copy,
  { required_columns, filled_columns, unique_column }: EffectiveLimits,
): Promise<Excess[]> {
  const names = copy.header.map(headerName)
  const named = [...required_columns, ...filled_columns, ...(unique_column === null ? [] : [unique_column])]
  const missing = [...new Set(named)].filter((name) => !names.includes(name))
  const excesses: Excess[] = []
  if (missing.length > 0) excesses.push({ kind: 'column_missing', act: messages.lack(missing), limit: null })
  const filled = filled_columns.map((name) => names.indexOf(name)).filter((column) => column >= 0)
  const unique = unique_column === null ? -1 : names.indexOf(unique_column)
  if (filled.length === 0 && unique < 0) return excesses
  await context.progress({ phase: 'Checking the limits' })
  const { blanks, hashes } = await readColumns(context, copy, { filled, unique })
  for (const column of filled) {
    const count = blanks.get(column) ?? 0
    if (count > 0)
      excesses.push({ kind: 'column_blank', act: messages.blank(count, names[column] ?? ''), limit: null })
  }
  const repeated = repeatedIn(hashes)
  if (repeated.size === 0) return excesses
  // Values with the same hash need not be the same.
  const [example, ...others] = await repeatedValues(context, copy, { unique, repeated })
  if (example === undefined) return excesses
  const name = names[unique] ?? ''
  await context.log('INFO', messages.repeated_value(name, example))
  excesses.push({ kind: 'column_repeated', act: messages.repeat(others.length + 1, name), limit: null })
  return excesses
}

async function* rowsOf(context: RunContext, { snapshot_id, rows }: Copy) {
  for await (const texts of snapshotTexts(context.db, snapshot_id, 1, rows + 1)) {
    for (const text of texts) {
      const row: CellValue[] = JSON.parse(text)
      if (row.some((cell) => !isBlank(cell))) yield row
    }
    await context.progress({})
  }
}

const isBlank = (cell: CellValue | undefined) => cell === null || cell === undefined || cell === ''
const hashOf = (cell: CellValue) => Number.parseInt(hash('sha256', String(cell)).slice(0, HASH_DIGITS), 16)

/** Blank cells by column of `filled`, and the hashes of the values of `unique`, in order of size. */
async function readColumns(
  context: RunContext,
  copy: Copy,
  { filled, unique }: { filled: readonly number[]; unique: number },
): Promise<{ blanks: Map<number, number>; hashes: Float64Array }> {
  const blanks = new Map<number, number>()
  const hashes = new Float64Array(unique < 0 ? 0 : copy.rows)
  let length = 0
  for await (const row of rowsOf(context, copy)) {
    for (const column of filled) if (isBlank(row[column])) blanks.set(column, (blanks.get(column) ?? 0) + 1)
    const value = unique < 0 ? null : row[unique]
    if (value === undefined || isBlank(value)) continue
    hashes[length] = hashOf(value)
    length += 1
  }
  return { blanks, hashes: hashes.subarray(0, length).sort() }
}

function repeatedIn(sorted: Float64Array): Set<number> {
  const repeated = new Set<number>()
  for (let at = 1; at < sorted.length; at += 1) {
    const value = sorted[at] ?? 0
    if (value === sorted[at - 1]) repeated.add(value)
  }
  return repeated
}

async function repeatedValues(
  context: RunContext,
  copy: Copy,
  { unique, repeated }: { unique: number; repeated: ReadonlySet<number> },
): Promise<string[]> {
  const counts = new Map<string, number>()
  for await (const row of rowsOf(context, copy)) {
    const value = row[unique]
    if (value === undefined || isBlank(value) || !repeated.has(hashOf(value))) continue
    counts.set(String(value), (counts.get(String(value)) ?? 0) + 1)
  }
  return [...counts].flatMap(([value, count]) => (count > 1 ? value : []))
}
