import { formatted } from '../counted.ts'
import { limits } from '../limits.ts'

/** Messages about invalid parts of an override. */
export const overrideFieldMessages = {
  value_long: `A value has at most ${formatted(limits.cell_characters)} characters, as a cell of a spreadsheet`,
  reason_long: `A reason has at most ${formatted(limits.description_characters)} characters`,
  ids_or_filters: 'Name either ids or filters',
  ends_on_invalid: 'An end date is written like 2026-12-31',
} as const
