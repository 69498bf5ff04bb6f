import { Client } from 'pg'
import { expect, it } from 'vitest'
import { testDatabase } from './database.ts'

it('gives each test a database of its own, migrated and empty', async () => {
  const [one, other] = await Promise.all([testDatabase(), testDatabase()])
  await one.db.insertInto('sync_presets').values({ name: 'Prices' }).execute()
  expect(await one.db.selectFrom('sync_presets').select('name').execute()).toEqual([{ name: 'Prices' }])
  expect(await other.db.selectFrom('sync_presets').select('name').execute()).toEqual([])
})

it('fails a test that leaves a connection open', async () => {
  const { url, drop } = await testDatabase()
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  await client.query('select 42')
  await expect(drop(1)).rejects.toThrow('The test left connections open: select 42')
})
