import type { ChangeMode, Way } from '../../connector.ts'
import type { Shifted } from './header-watch.ts'

// What people are told of how a target is written.

const sentences: Record<ChangeMode, string> = {
  small: 'They fit one request.',
  staged: 'The new table is put together in a hidden tab; the target changes at once when it is complete.',
  in_place: 'They are written into the target piece by piece.',
}

/** What a person must know of a target that is written piece by piece. */
const inPlaceWarning = (title: string) =>
  `${title} has no room for a hidden copy within Google’s limit of 10,000,000 cells, so it is written piece by piece: until the end it holds old and new rows, and a write that Google carries out late may still change it afterwards. The next run notices that and puts it right.`

/** How a target is about to be written. */
export const wayOf = (mode: ChangeMode, title: string): Way => ({
  mode,
  sentence: sentences[mode],
  warning: mode === 'in_place' ? inPlaceWarning(title) : null,
})

/** What is said when a colleague was quicker than the commit, which names places. */
export const resizedWarning = (title: string) =>
  `Rows or columns of ${title} were inserted at the moment it was written. The table stands where it belongs; what stood there has moved to the right of it or below, and what was put into inserted cells is overwritten.`

/** What is said when columns seem to have been moved at the moment of the commit, which Google cannot be asked to refuse. */
export function shiftedWarning(title: string, { cell }: Shifted): string {
  const sign =
    cell === null
      ? `The header of ${title} was another one at the moment the table was written than when it was read.`
      : `${cell}, right of the header of ${title}, is another one than right before the table was written.`
  return `${sign} If columns were moved into the table or out of it at that moment, cells of theirs may be overwritten: the version history of the spreadsheet has them.`
}
