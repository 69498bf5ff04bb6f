import { beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../test/fixtures/app.ts'
import { aSpreadsheetId, aSyncTask, aType } from '../../test/fixtures/factories.ts'
import { aToken } from '../../test/fixtures/tokens.ts'
import { commandLine } from '../../test/processes/command-line.ts'

let site: TestApp
let env: Record<string, string>
let readOnly: Record<string, string>
const targetSsId = aSpreadsheetId()

beforeAll(async () => {
  site = await testApp({ env: { SCHEDULE_TIME_ZONE: 'UTC' } })
  const ada = await site.signIn()
  const type = await aType(site.db, { name: 'Shops' })
  await aSyncTask(site.db, {
    name: 'Prices',
    task_type_id: type.id,
    definition: { target_ss_id: targetSsId },
  })
  const ROWFERRY_URL = await site.app.listen({ host: '127.0.0.1', port: 0 })
  env = { ROWFERRY_URL, ROWFERRY_TOKEN: await aToken(ada, 'edit') }
  readOnly = { ROWFERRY_URL, ROWFERRY_TOKEN: await aToken(ada, 'read') }
})

test('times of tasks, types and spreadsheets are set, listed with their forecasts, and removed', async () => {
  const { run } = await commandLine()
  expect((await run('ready', { env })).out).toContain('No task, type or target has a time')
  const lines = [
    ['ready', 'set', 'Prices', '07:00'],
    ['ready', 'set', 'shops', '06:30', '--kind', 'type'],
    ['ready', 'set', targetSsId, '06:45', '--kind', 'spreadsheet'],
  ]
  for (const line of lines) expect(await run(line, { env })).toMatchObject({ exit: 0, err: '' })
  const { out } = await run('ready', { env })
  for (const part of [
    /Unknown +\S+ 07:00:00 UTC +task +Prices \(Target\) +None of its tasks has run/,
    /06:30:00 UTC +type +Shops/,
  ])
    expect(out).toMatch(part)
  expect(out).toMatch(/06:45:00 UTC +spreadsheet/)
  await run(['ready', 'remove', 'Prices'], { env })
  await run(['ready', 'remove', targetSsId, '--kind', 'spreadsheet'], { env })
  const left = JSON.parse((await run('ready --json', { env })).out)
  expect(left).toMatchObject([{ kind: 'type', name: 'Shops', ready_by: '06:30' }])
})

test.each([
  [['ready', 'set', 'Prices', '25:00'], 2, 'TIME is a time of day such as 07:00, not 25:00'],
  [['ready', 'set', 'Prices'], 2, 'TIME is missing'],
  [['ready', 'set', 'Nothing', '07:00'], 2, 'Unknown task "Nothing"'],
  [['ready', 'set', 'Nothing', '07:00', '--kind', 'type'], 2, 'Unknown task type "Nothing"'],
  [['ready', 'remove', 'Prices', '07:00'], 2, 'Unexpected argument: 07:00'],
  [
    ['ready', 'set', 'a'.repeat(44), '07:00', '--kind', 'spreadsheet'],
    5,
    'No sync task writes to a spreadsheet',
  ],
])('%j is refused with status %i', async (line, exit, message) => {
  const { run } = await commandLine()
  const result = await run(line, { env })
  expect(result.exit).toBe(exit)
  expect(result.err).toContain(message)
})

test('a token that may only read lists the times and sets none', async () => {
  const { run } = await commandLine()
  expect((await run('ready', { env: readOnly })).exit).toBe(0)
  expect((await run(['ready', 'set', 'Prices', '07:00'], { env: readOnly })).exit).toBe(5)
})
