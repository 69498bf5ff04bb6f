import { expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'

test('GET /api/sync_presets lists the presets by name, with the fields they leave out', async () => {
  const { db, signIn } = await testApp()
  const ada = await signIn()
  expect((await ada.request('GET', '/api/sync_presets')).json()).toEqual([])
  await db
    .insertInto('sync_presets')
    .values([{ name: 'Without prices', excluded_fields: ['Price', 'Cost'] }, { name: 'Everything' }])
    .execute()
  expect((await ada.request('GET', '/api/sync_presets')).json()).toEqual([
    { id: expect.any(Number), name: 'Everything', excluded_fields: [] },
    { id: expect.any(Number), name: 'Without prices', excluded_fields: ['Price', 'Cost'] },
  ])
})
