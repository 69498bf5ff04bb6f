import type { Way } from '../../connector.ts'
import type { Shifted } from './header-watch.ts'

// Log lines and warnings about how a target is written.

const ways = {
  cells: { mode: 'small', sentence: 'They fit one request.' },
  table: {
    mode: 'staged',
    sentence:
      'The new table is put together in a staging tab; the target changes at once when it is complete.',
  },
  rows: {
    mode: 'staged',
    sentence:
      'The spreadsheet has no room for a second copy of the table, so only the rows that differ are put into a staging tab; the target changes at once when they are complete.',
  },
} as const satisfies Record<string, Way>

/** How a target is going to be written. */
export const describeWriteMode = (kind: keyof typeof ways): Way => ways[kind]

/** Warning: another editor inserted rows or columns right before the commit, which refers to positions. */
export const resizedWarning = (title: string) =>
  `Rows or columns of ${title} were inserted at the moment it was written. The table stands where it belongs; what stood there has moved to the right of it or below, and what was put into inserted cells is overwritten.`

/** Warning: columns were possibly moved during the commit, which Google cannot be asked to refuse. */
export function shiftedWarning(title: string, { cell }: Shifted): string {
  const sign =
    cell === null
      ? `The header of ${title} was another one at the moment the table was written than when it was read.`
      : `${cell}, right of the header of ${title}, is another one than right before the table was written.`
  return `${sign} If columns were moved into the table or out of it at that moment, cells of theirs may be overwritten: the version history of the spreadsheet has them.`
}
