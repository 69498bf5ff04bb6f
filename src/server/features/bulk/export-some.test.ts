import { beforeAll, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { aSourceTask, aTaskOfTab } from '../../../../test/fixtures/factories.ts'
import { aToken, withToken } from '../../../../test/fixtures/tokens.ts'

let app: TestApp
let ada: SignedIn
beforeAll(async () => {
  app = await testApp()
  ada = await app.signIn()
})

test.each([
  ['/api/sync_tasks/export', aTaskOfTab],
  ['/api/source_tasks/export_csv', aSourceTask],
] as const)(
  'POST %s exports the chosen tasks in the format of all; unknown ids are skipped',
  async (url, add) => {
    const [one, other, third] = [await add(app.db), await add(app.db), await add(app.db)]
    const all = (await ada.request('GET', url)).body.split('\r\n')
    const some = await ada.request('POST', url, { ids: [third.id, one.id, 99_999] })
    expect(some.statusCode).toBe(200)
    const wanted = all.filter(
      (line, index) => index === 0 || line.includes(`,${one.name},`) || line.includes(`,${third.name},`),
    )
    expect(wanted).toHaveLength(3)
    expect(some.body.split('\r\n')).toEqual([...wanted, ''])
    expect(some.body).not.toContain(`,${other.name},`)
    expect((await ada.request('POST', url, { ids: [] })).statusCode).toBe(400)
  },
)

test('a token that may only read may export', async () => {
  const task = await aTaskOfTab(app.db)
  const send = withToken(app.app, await aToken(ada, 'read'))
  expect((await send('POST', '/api/sync_tasks/export', { ids: [task.id] })).statusCode).toBe(200)
})
