import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { testDatabase } from '../../../test/fixtures/database.ts'
import { createDb } from './db.ts'
import { prepared } from './prepared.ts'

it('has a marked statement parsed once by a connection, whatever its parameters', async () => {
  const { url } = await testDatabase()
  const db = createDb({ url, max: 1 })
  const add = async (a: number, b: number) => {
    const { rows } = await sql<{ sum: number }>`${prepared} select ${a}::int + ${b}::int as sum`.execute(db)
    return rows[0]?.sum
  }
  expect([await add(1, 2), await add(3, 4)]).toEqual([3, 7])
  await db.transaction().execute(async (trx) => {
    await sql`${prepared} select ${1}::int - ${2}::int as difference`.execute(trx)
  })
  await sql`select ${1}::int * ${2}::int as product`.execute(db)
  const { rows } = await sql<{ statement: string; uses: number }>`
    select statement, (generic_plans + custom_plans)::int as uses from pg_prepared_statements order by prepare_time`.execute(
    db,
  )
  expect(rows).toEqual([
    { statement: expect.stringContaining('as sum'), uses: 2 },
    { statement: expect.stringContaining('as difference'), uses: 1 },
  ])
  await db.destroy()
})
