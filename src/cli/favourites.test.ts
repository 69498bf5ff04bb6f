import { beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../test/fixtures/app.ts'
import { aSyncTask } from '../../test/fixtures/factories.ts'
import { aToken } from '../../test/fixtures/tokens.ts'
import { commandLine } from '../../test/processes/command-line.ts'

let site: TestApp
let env: Record<string, string>

beforeAll(async () => {
  site = await testApp()
  const ada = await site.signIn()
  await aSyncTask(site.db, { name: 'Prices' })
  await aSyncTask(site.db, { name: 'Stock' })
  const ROWFERRY_URL = await site.app.listen({ host: '127.0.0.1', port: 0 })
  env = { ROWFERRY_URL, ROWFERRY_TOKEN: await aToken(ada, 'edit') }
})

test('favourites are added, listed with their status, and removed', async () => {
  const { run } = await commandLine()
  expect((await run('favourites', { env })).out).toContain('No favourites yet')
  expect(await run(['favourites', 'add', 'prices'], { env })).toMatchObject({ exit: 0, err: '' })
  const { out } = await run('favourites', { env })
  expect(out).toMatch(/sync +Prices/)
  expect(out).not.toContain('Stock')
  expect(JSON.parse((await run('favourites --json', { env })).out)).toMatchObject([{ name: 'Prices' }])
  await run(['favourites', 'remove', 'Prices'], { env })
  expect(JSON.parse((await run('favourites --json', { env })).out)).toEqual([])
})

test('views are saved and listed with the page that they open', async () => {
  const { run } = await commandLine()
  expect((await run('views', { env })).out).toContain('No saved views yet')
  const line = ['views', 'save', 'Broken', 'status=Failed&q=the north', '--list', 'sync', '--shared']
  expect(await run(line, { env })).toMatchObject({ exit: 0, err: '' })
  expect((await run(['views', '--list', 'sync'], { env })).out).toMatch(
    /sync +Broken +by .+\/sync_tasks\?status=Failed&q=the\+north/,
  )
  expect(JSON.parse((await run('views --list runs --json', { env })).out)).toEqual([])
})

test('a view is removed by its name; one of two lists has to be named, and that of another user is left', async () => {
  const { run } = await commandLine()
  for (const list of ['sync', 'runs']) {
    const line = ['views', 'save', 'Twice', 'q=prices', '--list', list]
    expect(await run(line, { env })).toMatchObject({ exit: 0 })
  }
  const unclear = await run('views remove Twice', { env })
  expect([unclear.exit, unclear.err]).toEqual([2, expect.stringContaining('Choose one with --list')])
  const removed = await run('views remove Twice --list runs --json', { env })
  expect([removed.exit, JSON.parse(removed.out)]).toMatchObject([0, { list: 'runs', name: 'Twice' }])
  expect((await run('views remove Twice', { env })).out).toContain('View “Twice” is deleted')
  expect((await run('views', { env })).out).not.toContain('Twice')

  const bob = await site.signIn('bob@example.com')
  const body = { list: 'sync', name: 'Of Bob', query: 'q=prices', is_shared: true }
  await bob.request('POST', '/api/saved_views', body)
  const refused = await run(['views', 'remove', 'Of Bob'], { env })
  expect([refused.exit, refused.err]).toEqual([2, expect.stringContaining('Unknown view "Of Bob"')])
  expect((await run('views', { env })).out).toContain('Of Bob')
})

test.each([
  [['views', 'remove'], 2, 'NAME is missing'],
  [['views', 'remove', 'Broken', 'status=Failed'], 2, 'Unexpected argument: status=Failed'],
  [['favourites', 'add'], 2, 'TASK is missing'],
  [['favourites', 'add', 'Nothing'], 2, 'Unknown task "Nothing"'],
  [['favourites', 'list', 'Prices'], 2, 'Unexpected argument: Prices'],
  [['views', 'save', 'Broken', 'status=Failed'], 2, '--list is missing'],
  [['views', 'save', 'Broken'], 2, 'FILTERS is missing'],
  [['views', 'save', 'Broken', '%%', '--list', 'sync'], 2, 'Filters are query parameters such as'],
])('%j is refused with status %i', async (line, exit, message) => {
  const { run } = await commandLine()
  const result = await run(line, { env })
  expect(result.exit).toBe(exit)
  expect(result.err).toContain(message)
})
