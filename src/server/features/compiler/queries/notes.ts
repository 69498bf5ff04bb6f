import { compilerMessages } from '../../../../contract/compiler-messages.ts'
import type { CellValue } from '../../../../contract/tables.ts'
import { BITS_IN_WORD } from '../../../snapshots/source-sets.ts'
import { isLoading, isSpreadsheetError } from '../../../snapshots/spreadsheet-errors.ts'

type Judged = {
  values: { field: string; value: CellValue }[]
  found_in: readonly number[]
  twice_in: readonly number[]
}

/** Why a record has its flags, in sentences; blank where it has none. */
export function notesOf(
  { values, found_in, twice_in }: Judged,
  { sources, master }: { sources: readonly { task_id: number; name: string }[]; master: number | null },
): string {
  const blank = values.filter(({ value }) => value === null || value === '').map(({ field }) => field)
  const wrong = values
    .filter(({ value }) => isSpreadsheetError(value) || isLoading(value))
    .map(({ field }) => field)
  const among = (words: readonly number[]) =>
    sources.filter((_, n) => ((words[Math.floor(n / BITS_IN_WORD)] ?? 0) >> (n % BITS_IN_WORD)) & 1)
  const namesOf = (words: readonly number[]) => among(words).map(({ name }) => name)
  const outside = !among(found_in).some(({ task_id }) => task_id === master)
  return [
    blank.length > 0 && compilerMessages.blank(blank),
    wrong.length > 0 && compilerMessages.errors(wrong),
    twice_in.some((word) => word > 0) && compilerMessages.twice(namesOf(twice_in)),
    outside && compilerMessages.not_in_master(namesOf(found_in)),
  ]
    .filter((note) => note !== false)
    .join(' ')
}
