import { formatted } from '../counted.ts'
import { limits } from '../limits.ts'

/** Messages about invalid parts of a decision. */
export const decisionFieldMessages = {
  texts_few: 'Name at least two values that disagree',
  nothing_decided: 'Name at least one value or source',
  reason_long: `A reason has at most ${formatted(limits.description_characters)} characters`,
} as const
