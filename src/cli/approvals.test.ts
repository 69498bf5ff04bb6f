import { beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../test/fixtures/app.ts'
import { aToken } from '../../test/fixtures/tokens.ts'
import { withWaitingRows } from '../../test/fixtures/waiting-rows.ts'
import { commandLine } from '../../test/processes/command-line.ts'

let site: TestApp
let env: Record<string, string>
let runOnly: Record<string, string>

beforeAll(async () => {
  site = await testApp({ env: { SCHEDULE_TIME_ZONE: 'UTC' } })
  const ada = await site.signIn()
  const ROWFERRY_URL = await site.app.listen({ host: '127.0.0.1', port: 0 })
  env = { ROWFERRY_URL, ROWFERRY_TOKEN: await aToken(ada, 'edit') }
  runOnly = { ROWFERRY_URL, ROWFERRY_TOKEN: await aToken(ada, 'run') }
})

test('what needs an approval is listed, approved and rejected by number or name, once', async () => {
  const { run } = await commandLine()
  expect((await run('approvals', { env })).out).toBe('Nothing needs an approval.\n')
  const stock = await withWaitingRows(site.db, 'Stock')
  await withWaitingRows(site.db, 'Price list')
  const listed = (await run('approvals', { env })).out.split('\n')
  expect(listed[0]).toMatch(/^ID +KIND +TASK +SINCE/)
  expect(listed[1]).toMatch(/New rows +Price list/)
  expect(await run(['approve', String(stock.id)], { env })).toMatchObject({
    exit: 0,
    out: '3 rows are current now\n',
  })
  expect(await run(['reject', 'price list'], { env })).toMatchObject({ exit: 0 })
  const { out } = await run('approvals', { env })
  expect(out).toContain('Price list: Rejected by ada@example.com')
  expect(out).toContain('Stock: Approved by ada@example.com')
  expect(await run('approve Stock', { env })).toMatchObject({
    exit: 2,
    err: expect.stringContaining('Task "Stock" waits for no approval'),
  })
})

test('a task must be named, and a token needs the right to edit for rows', async () => {
  const { run } = await commandLine()
  await withWaitingRows(site.db, 'Guarded')
  expect((await run('approve', { env })).exit).toBe(2)
  expect(await run('reject Guarded', { env: runOnly })).toMatchObject({
    exit: 5,
    err: expect.stringContaining('edit'),
  })
})
