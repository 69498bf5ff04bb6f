import { sql } from 'kysely'
import type { PoolClient } from 'pg'

const MARK = '/* prepared */'

/**
 * Begins a statement that runs all the time: each connection parses it once and keeps it, with its plan where one plan
 * fits all parameters. Its text must never vary, and it must name the columns that it returns.
 */
export const prepared = sql.raw(MARK)

const names = new Map<string, string>()

function nameOf(text: string): string {
  const name = names.get(text) ?? `statement_${names.size + 1}`
  names.set(text, name)
  return name
}

/** Lets a connection keep the statements that are marked so. */
export function keepPrepared(client: PoolClient): void {
  const { query } = client
  // A property in place of a subclass, since Kysely has no word for a statement's name and `query` has ten signatures.
  Object.defineProperty(client, 'query', {
    configurable: true,
    value: (text: unknown, values: unknown, ...rest: unknown[]) =>
      typeof text === 'string' && text.startsWith(MARK)
        ? Reflect.apply(query, client, [{ name: nameOf(text), text, values }, ...rest])
        : Reflect.apply(query, client, [text, values, ...rest]),
  })
}
