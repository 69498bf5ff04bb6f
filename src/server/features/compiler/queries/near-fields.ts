import { distance } from 'fastest-levenshtein'
import { limits } from '../../../../contract/limits.ts'

type NearField = { field: string; same: boolean }

/** Upper limit, since longer names would match by coincidence. */
const MAX_CHANGES = 2
/** One edit per this number of letters. */
const LETTERS_TO_A_CHANGE = 4

/** Finds fields that a column name may stand for, closest first: different spelling, one word more or less, or a typo. */
export function nearFields(column: string, fields: readonly string[]): NearField[] {
  return fields
    .flatMap((field) => {
      const steps = stepsBetween(column, field)
      return steps === null ? [] : [{ field, same: steps === 0, steps }]
    })
    .sort((one, other) => one.steps - other.steps)
    .slice(0, limits.unmatched_candidates)
    .map(({ field, same }) => ({ field, same }))
}

/** Distance between two names; null if it exceeds the limit. */
function stepsBetween(one: string, other: string): number | null {
  const [ones, others] = [wordsOf(one), wordsOf(other)]
  const [short, long] = [ones.join(''), others.join('')].sort((a, b) => a.length - b.length)
  if (short === undefined || long === undefined || short === '') return null
  if (short === long) return 0
  const [fewer, more] = ones.length < others.length ? [ones, others] : [others, ones]
  if (fewer.every((word) => more.includes(word))) return 1
  const most = Math.min(MAX_CHANGES, Math.floor(short.length / LETTERS_TO_A_CHANGE))
  if (long.length - short.length > most) return null
  const changes = distance(short, long)
  return changes > most ? null : 1 + changes
}

/** "Unit-price", "unit price" and "unitPrice" give the same two words. */
const wordsOf = (name: string): string[] =>
  name
    .replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]/u)
    .filter((word) => word !== '')
