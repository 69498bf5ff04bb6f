import { MAX_FORMAT_RUNS } from '../snapshots/column-format.ts'
import type { Noted } from './cell-notes.ts'

// Texts of run logs and run results that several handlers share.

const number = (n: number) => n.toLocaleString('en')

/** "1 row", "20,000 rows". */
export const count = (n: number, one: string, many = `${one}s`) => `${number(n)} ${n === 1 ? one : many}`

/** "20,000 rows x 20 columns". */
export const tableSize = (rows: number, columns: number) =>
  `${count(rows, 'row')} x ${count(columns, 'column')}`

/** "3 cells (B7, C9 and others)". */
export function cellCount(
  { count: n, first }: Pick<Noted, 'count' | 'first'>,
  address: (row: number, column: number) => string,
): string {
  const named = first.map(({ row, column }) => address(row, column)).join(', ')
  if (named === '') return count(n, 'cell')
  return `${count(n, 'cell')} (${named}${n > first.length ? ' and others' : ''})`
}

/** A run has settings that this worker does not know. */
export const newerRelease = (settings: readonly string[]) =>
  `A newer release queued this run, with settings that this worker does not know (${settings.join(', ')}). Nothing was read or written. Restart the workers of the earlier release.`

/** "0.4 s", "12 s". */
export const seconds = (ms: number) => `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`

/** Log lines about columns with several number formats, and about formats that were judged by a sample. */
export const formatMessages = {
  kept: (columns: readonly string[]) =>
    `Cells in ${columns.join(', ')} have different number formats: each keeps its own.`,
  too_many: (columns: readonly string[]) =>
    `The number formats in ${columns.join(', ')} change too often (a table keeps ${number(MAX_FORMAT_RUNS)} changes): all cells get the most frequent format.`,
  one_each: (columns: readonly string[], provider: string) =>
    `${provider} keeps one number format for a column: all cells in ${columns.join(', ')} get the most frequent one.`,
  sampled: (rows: number) =>
    `Number formats were judged by a sample of ${count(rows, 'row')}: other formats in rows between them do not show.`,
}
