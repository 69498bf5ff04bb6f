import { expect, test } from 'vitest'
import { testDatabase } from '../test/database.ts'
import { seedSandbox } from './seed.ts'

test('a new sandbox has a task type and a preset, and what was deleted does not come back', async () => {
  const { db, url } = await testDatabase()
  const types = () => db.selectFrom('task_types').select(['category', 'name']).execute()
  const presets = () => db.selectFrom('sync_presets').select('name').execute()

  await Promise.all([seedSandbox(url), seedSandbox(url)])
  expect(await types()).toEqual([{ category: 'sync', name: 'Catalogue' }])
  expect(await presets()).toHaveLength(1)

  await db.deleteFrom('task_types').execute()
  await seedSandbox(url)
  expect(await types()).toEqual([])
})

test('a type of that name that is there already is left as it is', async () => {
  const { db, url } = await testDatabase()
  await db.insertInto('task_types').values({ category: 'sync', name: 'Catalogue', chunk_size: 7 }).execute()
  await seedSandbox(url)
  expect(await db.selectFrom('task_types').select('chunk_size').execute()).toEqual([{ chunk_size: 7 }])
})
