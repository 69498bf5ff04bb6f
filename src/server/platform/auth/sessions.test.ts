import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDatabase } from '../../../../test/fixtures/database.ts'
import { aUser } from '../../../../test/fixtures/factories.ts'
import { readConfig } from '../config.ts'
import { createDb } from '../db.ts'
import { openSession, sessionLookUp } from './sessions.ts'

const config = readConfig({ SECRET_KEY: 'a key of the tests, long enough for the rule' })

test('simultaneous session checks share one prepared statement', async () => {
  const { url } = await testDatabase()
  const db = createDb({ url, max: 1 })
  const [ada, ben] = [await aUser(db), await aUser(db)]
  const [of_ada, of_ben] = [await openSession(db, ada.id), await openSession(db, ben.id)]
  const find = sessionLookUp(db, config)
  const whose = async (...ids: string[]) =>
    (await Promise.all(ids.map((id) => find(id, { prolong: true })))).map((session) => session?.user.id)
  expect(await whose(of_ada, of_ben, of_ada, 'nobody’s')).toEqual([ada.id, ben.id, ada.id, undefined])
  expect(await whose(of_ben)).toEqual([ben.id])
  const { rows } = await sql<{ uses: number }>`
    select (generic_plans + custom_plans)::int as uses from pg_prepared_statements
    where statement like '%from sessions%'`.execute(db)
  expect(rows).toEqual([{ uses: 2 }])
  await db.destroy()
})
