import { beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../../test/app.ts'

let site: TestApp
beforeAll(async () => {
  site = await testApp()
})

test('a person signs in with a sandbox account and is then known', async () => {
  const ada = await site.signIn('ada@example.com')
  const check = await ada.request('GET', '/auth/check')
  expect(check.json()).toMatchObject({
    authenticated: true,
    user: { email: 'ada@example.com', name: 'Ada Fields' },
    sandbox: { url: site.sandbox.root },
  })
})
