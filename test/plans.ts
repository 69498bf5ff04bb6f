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

/** Where a plan reads the `stored` tables by anything else than their key. */
export function problems(plan: Plan, stored: RegExp, parent = ''): string[] {
  const name = plan['Node Type']
  const relation = plan['Relation Name'] ?? ''
  const below = (plan.Plans ?? []).flatMap((child) => problems(child, stored, name))
  if (
    /Join|Nested Loop/.test(name) &&
    [...joined(plan)].some((node) => stored.test(node['Relation Name'] ?? ''))
  )
    return [`${name} with stored rows`, ...below]
  if (!stored.test(relation) || name === 'ModifyTable') return below
  const conditions = [plan, ...(plan.Plans ?? [])].map((node) => node['Index Cond'] ?? '').join(' ')
  // The first one of all needs no condition.
  const first = parent === 'Limit' && /^Index/.test(name)
  return first || conditions.includes('snapshot_id') ? below : [`${name} of ${relation}`, ...below]
}

/** What a join combines: not what is asked for each of its rows. */
function* joined(plan: Plan): Generator<Plan> {
  for (const below of plan.Plans ?? []) {
    if (/InitPlan|SubPlan/.test(below['Parent Relationship'] ?? '')) continue
    yield below
    yield* joined(below)
  }
}
