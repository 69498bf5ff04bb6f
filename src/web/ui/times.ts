import { fieldMessages } from '../../contract/field-messages.ts'
import { TimeOfDay } from '../../contract/fields.ts'

/** Result of adding text to times of day: the times, the invalid rest and a message. */
export type AddedTimes = {
  times: string[]
  rest: string
  problem: { kind: 'invalid' | 'duplicate'; message: string } | null
}

const pad = (text: string) => (/^\d:\d\d$/.test(text) ? `0${text}` : text)

/** Adds typed times, such as `4:00, 23:00`: padded, without duplicates, sorted. Invalid text is returned in `rest`. */
export function addTimes(times: readonly string[], text: string): AddedTimes {
  const parts = text
    .split(/[\s,;]+/)
    .filter((part) => part !== '')
    .map(pad)
  const valid = parts.filter((part) => TimeOfDay.safeParse(part).success)
  const invalid = parts.filter((part) => !valid.includes(part))
  const all = [...times, ...valid]
  const once = [...new Set(all)].sort()
  return {
    times: once,
    rest: invalid.join(', '),
    problem: problemOf(invalid.length > 0, once.length < all.length),
  }
}

function problemOf(invalid: boolean, duplicate: boolean): AddedTimes['problem'] {
  if (invalid) return { kind: 'invalid', message: fieldMessages.time_invalid }
  return duplicate ? { kind: 'duplicate', message: fieldMessages.time_duplicate } : null
}
