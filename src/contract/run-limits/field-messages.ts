import { formatted } from '../counted.ts'

/** Texts of checks of limits. */
export const runLimitFieldMessages = {
  number: (min: number, max: number) => `Must be a whole number from ${formatted(min)} to ${formatted(max)}`,
  column_required: 'A column name must not be blank',
  column_long: 'A column name must be at most 1,000 characters',
  columns_many: (max: number) => `At most ${formatted(max)} columns can be named`,
} as const
