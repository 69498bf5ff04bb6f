import { beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../test/fixtures/app.ts'
import { aSourceTask, aSyncTask } from '../../test/fixtures/factories.ts'
import { aToken } from '../../test/fixtures/tokens.ts'
import { commandLine } from '../../test/processes/command-line.ts'

let site: TestApp
let env: Record<'edit' | 'run', Record<string, string>>
beforeAll(async () => {
  site = await testApp()
  const ada = await site.signIn()
  const ROWFERRY_URL = await site.app.listen({ host: '127.0.0.1', port: 0 })
  env = {
    edit: { ROWFERRY_URL, ROWFERRY_TOKEN: await aToken(ada, 'edit') },
    run: { ROWFERRY_URL, ROWFERRY_TOKEN: await aToken(ada, 'run') },
  }
})

const limitsOf = async (id: number) =>
  (
    await site.db
      .selectFrom('sync_tasks')
      .select('limits')
      .where('task_id', '=', id)
      .executeTakeFirstOrThrow()
  ).limits

test('limits are shown with the defaults in force, changed one by one, and set back', async () => {
  const { id } = await aSyncTask(site.db, { name: 'Prices' })
  const { run } = await commandLine()
  const shell = async (...line: string[]) => (await run(['limits', 'prices', ...line], { env: env.edit })).out
  expect((await shell()).trimEnd().split('\n')).toEqual(
    [
      'Limits of Prices',
      'LIMIT                           VALUE',
      'Rows removed (%)                50        default',
      'Cells of a column emptied (%)   50        default',
      'From this many rows on          20        default',
      'Cells changed                   No limit  default',
      'Columns that must exist         No limit  default',
      'Columns that must not be blank  No limit  default',
      'Column without a repeated value  No limit  default',
    ].map((line) => expect.stringMatching(line.replace(/[()]/g, '\\$&').replace(/ {2,}/g, ' +'))),
  )
  expect(await shell('--removed-rows', '80%', '--unique-column', 'SKU')).toMatch(/Rows removed .* 80 +own/)
  await shell('--required-column', 'Price, net', '--required-column', 'SKU', '--changed-cells', '0')
  expect(await limitsOf(id)).toEqual({
    removed_percent: 80,
    unique_column: 'SKU',
    required_columns: ['Price, net', 'SKU'],
    changed_cells: 0,
  })
  await shell('--removed-rows', 'default', '--unique-column', '', '--required-column', '')
  expect(await limitsOf(id)).toEqual({ changed_cells: 0 })
  expect(JSON.parse(await shell('--json'))).toMatchObject({
    task_id: id,
    task_name: 'Prices',
    limits: { changed_cells: 0 },
    effective: { removed_percent: 50, changed_cells: 0 },
  })
})

test('a token that may only run reads limits and changes none', async () => {
  const { id } = await aSyncTask(site.db, { name: 'Locked' })
  const { run } = await commandLine()
  expect(await run('limits Locked', { env: env.run })).toMatchObject({ exit: 0 })
  expect(await run('limits Locked --from-rows 5', { env: env.run })).toMatchObject({ exit: 5, out: '' })
  expect(await limitsOf(id)).toEqual({})
})

test.each([
  ['--removed-rows 120%', '--removed-rows 120%: Must be a whole number from 0 to 100, or default'],
  ['--removed-rows many', '--removed-rows many: Must be a whole number from 0 to 100, or default'],
  ['--emptied-cells %', '--emptied-cells %: Must be a whole number from 0 to 100, or default'],
  ['--from-rows 0', '--from-rows 0: Must be a whole number from 1 to'],
  ['--changed-cells 1.5', '--changed-cells 1.5: Must be a whole number from 0 to'],
  [`--unique-column ${'x'.repeat(1_001)}`, 'A column name must be at most 1,000 characters'],
])('%s is refused, and nothing changes', async (flags, reason) => {
  const { id } = await aSyncTask(site.db, {})
  const { run } = await commandLine()
  const { exit, err } = await run(`limits ${id} --required-column A ${flags}`, { env: env.edit })
  expect([exit, err]).toEqual([2, expect.stringContaining(reason)])
  expect(await limitsOf(id)).toEqual({})
})

test('other tasks have no limits', async () => {
  const task = await aSourceTask(site.db, {})
  const { run } = await commandLine()
  expect(await run(`limits ${task.id}`, { env: env.edit })).toMatchObject({
    exit: 2,
    err: expect.stringContaining('is not a sync task'),
  })
})
