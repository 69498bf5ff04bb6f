import { expect, test } from 'vitest'
import { testDatabase } from '../test/fixtures/database.ts'
import { seedSandbox } from './seed.ts'

test('a new sandbox has two task types, a preset and the demo API allowed; deleted ones are not created again', async () => {
  const { db, url } = await testDatabase()
  const types = () => db.selectFrom('task_types').select(['category', 'name']).orderBy('category').execute()
  const hosts = () => db.selectFrom('allowed_hosts').select('host').execute()
  const presets = () => db.selectFrom('sync_presets').select('name').execute()

  await Promise.all([seedSandbox(url, 3001), seedSandbox(url, 3001)])
  expect(await types()).toEqual(['source', 'sync'].map((category) => ({ category, name: 'Catalogue' })))
  expect(await presets()).toHaveLength(1)
  expect(await hosts()).toEqual([{ host: '127.0.0.1:3001' }])

  await db.deleteFrom('task_types').execute()
  await db.deleteFrom('allowed_hosts').execute()
  await seedSandbox(url, 3001)
  expect(await types()).toEqual([])
  expect(await hosts()).toEqual([])

  // Another port is another host.
  await seedSandbox(url, 4001)
  expect(await hosts()).toEqual([{ host: '127.0.0.1:4001' }])
})

test('an existing type of that name is not changed', async () => {
  const { db, url } = await testDatabase()
  await db.insertInto('task_types').values({ category: 'sync', name: 'Catalogue', chunk_size: 7 }).execute()
  await seedSandbox(url, 3001)
  const sizes = db.selectFrom('task_types').select('chunk_size').where('category', '=', 'sync')
  expect(await sizes.execute()).toEqual([{ chunk_size: 7 }])
})
