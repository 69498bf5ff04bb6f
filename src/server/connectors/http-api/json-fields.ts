import { fieldsOf } from './json-path.ts'

/** A scalar value within a reply and its JSONPath. */
export type Field = { name: string; path: string; value: unknown }

const MAX_DEPTH = 5
const USUAL_LISTS = /^(data|items|results|records|rows|entries|list|values?|content|hits|nodes|products)$/i

/** Fields of nested objects, outermost first; contents of lists are omitted. */
export function fieldsWithin(value: unknown): Field[] {
  return walk(value).filter(({ value: field }) => typeof field !== 'object' || field === null)
}

const ERRORS = /errors?\b/i

/**
 * The list that most likely holds the rows: lists of objects first, then the longest. Lists of errors are excluded.
 */
export function findList(value: unknown): { path: string; entries: number } | null {
  if (Array.isArray(value)) return { path: '', entries: value.length }
  const lists = walk(value).flatMap(({ name, path, value: list }) =>
    Array.isArray(list) && !ERRORS.test(path)
      ? [{ path, entries: list.length, score: scoreOf(name, list) }]
      : [],
  )
  return lists.toSorted((a, b) => b.score - a.score)[0] ?? null
}

function scoreOf(name: string, list: unknown[]): number {
  const hasObjects = fieldsOf(list[0]).length > 0
  return (hasObjects ? 1e9 : 0) + Math.min(list.length, 1e6) + (USUAL_LISTS.test(name) ? 0.5 : 0)
}

function walk(value: unknown): Field[] {
  const found: Field[] = []
  let level: Field[] = [{ name: '', path: '$', value }]
  for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
    level = level.flatMap(({ path, value: object }) =>
      fieldsOf(object).map(([name, field]) => ({ name, path: path + segment(name), value: field })),
    )
    found.push(...level)
  }
  return found
}

const segment = (name: string) =>
  /^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `['${name.replace(/[\\']/g, '\\$&')}']`
