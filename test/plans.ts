import { Kysely, PostgresDialect } from 'kysely'
import { Pool } from 'pg'
import { z } from 'zod'
import type { Database } from '../src/server/platform/schema.ts'

/** A node of a plan, as far as tests look at it. */
export type Plan = {
  'Node Type': string
  'Relation Name'?: string | undefined
  'Parent Relationship'?: string | undefined
  'Index Cond'?: string | undefined
  Plans?: Plan[] | undefined
}

const Plan: z.ZodType<Plan> = z.object({
  'Node Type': z.string(),
  'Relation Name': z.string().optional(),
  'Parent Relationship': z.string().optional(),
  'Index Cond': z.string().optional(),
  Plans: z.lazy(() => z.array(Plan)).optional(),
})

const Explained = z.tuple([z.object({ 'QUERY PLAN': z.tuple([z.object({ Plan })]) })])

/** A statement that was carried out and the plan that PostgreSQL made for it then. */
export type Planned = { text: string; plan: Plan }

/** Queries on a pool of their own, which hands each statement that matches and its plan to `hear`. */
export function planningDb(url: string, matches: RegExp, hear: (planned: Planned) => void): Kysely<Database> {
  const pool = new Pool({ connectionString: url })
  pool.on('connect', (client) => {
    const { query } = client
    const explained = async (text: string, values: unknown[]) => {
      const { rows } = await Reflect.apply(query, client, [`explain (format json) ${text}`, values])
      const [
        {
          'QUERY PLAN': [{ Plan: plan }],
        },
      ] = Explained.parse(rows)
      hear({ text: text.replaceAll(/\s+/g, ' ').trim(), plan })
      return Reflect.apply(query, client, [text, values])
    }
    Object.defineProperty(client, 'query', {
      value: (text: unknown, values: unknown[], ...rest: unknown[]) =>
        typeof text === 'string' && matches.test(text)
          ? explained(text, values)
          : Reflect.apply(query, client, [text, values, ...rest]),
    })
  })
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
}
