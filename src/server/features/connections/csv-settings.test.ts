import { expect, onTestFinished, test } from 'vitest'
import { OriginServer } from '../../../../test/fakes/origin-server.ts'
import { testApp } from '../../../../test/fixtures/app.ts'
import { Connection, ConnectionTest } from '../../../contract/connections/calls.ts'

test('a test shows how a CSV file is read, as detected or as set', async () => {
  const app = await testApp({ env: { ADMIN_EMAILS: 'ada@example.com' } })
  const ada = await app.signIn('ada@example.com')
  await ada.request('POST', '/api/allowed_hosts', { host: '127.0.0.1' })
  const origin = await OriginServer.start()
  onTestFinished(() => origin.close())
  const url = origin.on('/file', () => ({
    body: Buffer.from('Größe, cm, innen;Preis\n1;2\n', 'latin1'),
    headers: { 'content-type': 'text/csv' },
  }))
  const test = async (settings: object) =>
    ConnectionTest.parse(
      (
        await ada.request('POST', '/api/connections/test', {
          settings: { kind: 'api', url, format: 'csv', ...settings },
        })
      ).json(),
    )
  expect(await test({})).toMatchObject({ ok: false, message: expect.stringContaining('Set its encoding') })
  expect(await test({ encoding: 'windows-1252' })).toMatchObject({
    columns: [{ name: 'Größe, cm, innen' }, { name: 'Preis' }],
    file_format: { delimiter: ';', encoding: 'windows-1252', quote: '"' },
  })
  expect(await test({ encoding: 'windows-1252', delimiter: ',' })).toMatchObject({
    columns: [{ name: 'Größe' }, { name: 'cm' }, { name: 'innen;Preis' }],
    file_format: { delimiter: ',' },
  })
  const settings = { kind: 'api', url, format: 'csv', encoding: 'shift_jis', delimiter: '\t' }
  const saved = await ada.request('POST', '/api/connections', { name: 'Shop', settings })
  expect(Connection.parse(saved.json()).settings).toMatchObject({ encoding: 'shift_jis', delimiter: '\t' })
})
