import { type RawBuilder, sql } from 'kysely'
import type { CompilePlan, Place } from './compile-plan.ts'

// Expressions of a merge, over rows that have the cells of each source as `cells_0`, `cells_1`, …

type Sql = RawBuilder<unknown>

const cells = (source: number): Sql => sql.ref(`cells_${source}`)
const pick = (field: number): Sql => sql.ref(`pick_${field}`)
const groupPick = (group: number): Sql => sql.ref(`group_${group}`)

// A blank cell is null or an empty text; zero and false are values.
const isFilled = ({ source, column }: Place): Sql => sql`${cells(source)} ->> ${sql.lit(column)} <> ''`

/** Of each group the source that fills it, counted from 1: the first in which not all of it is blank; 0: none. */
export const groupPicks = ({ groups }: CompilePlan): Sql[] =>
  groups.map((group, n) => {
    const cases = group.map(
      ({ source, places }) =>
        sql`when ${sql.join(places.map(isFilled), sql` or `)} then ${sql.lit(source + 1)}`,
    )
    return sql`${firstOf(cases)} as ${groupPick(n)}`
  })

/** Of each field the source that fills it, counted from 1; 0: it is blank. After groupPicks. */
export const picks = ({ fields }: CompilePlan): Sql[] =>
  fields.map(({ from, group }, n) => {
    const cases = from.map((place) => {
      const chosen = group === null ? sql`` : sql`${groupPick(group)} = ${sql.lit(place.source + 1)} and `
      return sql`when ${chosen}${isFilled(place)} then ${sql.lit(place.source + 1)}`
    })
    return sql`${firstOf(cases)} as ${pick(n)}`
  })

const firstOf = (cases: readonly Sql[]): Sql =>
  cases.length === 0 ? sql`0` : sql`case ${sql.join(cases, sql` `)} else 0 end`

/** The value of each field. After picks. */
export const values = ({ fields }: CompilePlan): Sql[] =>
  fields.map(({ from }, n) => {
    const cases = from.map(
      ({ source, column }) => sql`when ${sql.lit(source + 1)} then ${cells(source)} -> ${sql.lit(column)}`,
    )
    return cases.length === 0 ? sql`null::jsonb` : sql`case ${pick(n)} ${sql.join(cases, sql` `)} end`
  })

/** The number of the source that filled each field, 0 where it is blank. After picks. */
export function fieldSources({ fields, sources }: CompilePlan): Sql {
  const isPlain = sources.every(({ number }, source) => number === source + 1)
  const numbers = sql.join([sql`0`, ...sources.map(({ number }) => sql.lit(number))])
  const numberOf = (n: number) => (isPlain ? pick(n) : sql`(array[${numbers}])[${pick(n)} + 1]`)
  return sql`array[${sql.join(fields.map((_, n) => numberOf(n)))}]::smallint[]`
}

/** Whether a field that has to be filled is blank. After picks. */
export function hasBlanks({ fields }: CompilePlan): Sql {
  const required = fields.flatMap(({ is_required }, n) => (is_required ? [pick(n)] : []))
  return required.length === 0 ? sql`false` : sql`0 = any (array[${sql.join(required)}])`
}
