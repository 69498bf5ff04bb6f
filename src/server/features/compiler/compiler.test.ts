import { expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { aConfig } from '../../../../test/factories.ts'

test('GET /api/compiler/configs lists all configurations, with is_active=true only the active ones', async () => {
  const { db, signIn } = await testApp()
  const ada = await signIn()
  await aConfig(db, { name: 'Shop' })
  await aConfig(db, { name: 'Archive', is_active: false, description: 'Of last year' })
  const names = async (query: string) =>
    (await ada.request('GET', `/api/compiler/configs${query}`))
      .json()
      .map(({ name }: { name: string }) => name)

  expect((await ada.request('GET', '/api/compiler/configs')).json()).toEqual([
    { id: expect.any(Number), name: 'Archive', description: 'Of last year', is_active: false },
    { id: expect.any(Number), name: 'Shop', description: '', is_active: true },
  ])
  expect(await names('?is_active=true')).toEqual(['Shop'])
  expect(await names('?is_active=false')).toEqual(['Archive'])
  expect((await ada.request('GET', '/api/compiler/configs?is_active=yes')).statusCode).toBe(400)
})
