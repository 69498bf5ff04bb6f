import { beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../test/fixtures/app.ts'
import { aPlan } from '../../test/fixtures/copy-plans.ts'
import { done, handlerOf, startEngine } from '../../test/fixtures/engine.ts'
import { aSpreadsheetId, aSyncTask, aType } from '../../test/fixtures/factories.ts'
import { aToken } from '../../test/fixtures/tokens.ts'
import { commandLine } from '../../test/processes/command-line.ts'
import { RunFailure, type RunHandler } from '../server/engine/types.ts'

let site: TestApp
let handler: RunHandler
let env: Record<string, string>
const targetSsId = aSpreadsheetId()

beforeAll(async () => {
  handler = handlerOf(async ({ run, db }) => {
    const { name } = await db
      .selectFrom('tasks')
      .select('name')
      .where('id', '=', run.task_id)
      .executeTakeFirstOrThrow()
    if (name === 'Broken') throw new RunFailure('There is no tab ‘Shop’.', { retryable: false })
    await aPlan(db, run)
    return done
  })
  site = await testApp({ handlers: [handler] })
  const type = await aType(site.db, { name: 'Shops', max_retries: 0, allowed_concurrent_tasks: 5 })
  await aSyncTask(site.db, {
    name: 'Prices',
    task_type_id: type.id,
    definition: { target_ss_id: targetSsId },
  })
  await aSyncTask(site.db, { name: 'Broken', task_type_id: type.id })
  const ROWFERRY_TOKEN = await aToken(await site.signIn(), 'run')
  env = { ROWFERRY_URL: await site.app.listen({ host: '127.0.0.1', port: 0 }), ROWFERRY_TOKEN }
})

test('the tasks of a type are previewed together; one that fails is named and is the exit status', async () => {
  await startEngine(site.database, [handler])
  const { run } = await commandLine()
  const { exit, out } = await run('preview --type shops', { env })
  expect([exit, out.trim().split('\n')]).toEqual([
    1,
    ['2 previews queued.', 'Prices: Success', '  Nothing changes', 'Broken: Failed. There is no tab ‘Shop’.'],
  ])
})

test('those of a target spreadsheet are previewed; JSON has the plans', async () => {
  await startEngine(site.database, [handler])
  const { run } = await commandLine()
  const { exit, out } = await run(['preview', '--target', targetSsId, '--json'], { env })
  expect([exit, JSON.parse(out)]).toMatchObject([0, [{ task_name: 'Prices', plan: { state: 'open' } }]])
  expect(await run('preview --target x', { env })).toMatchObject({ exit: 5 })
})

test('several tasks are previewed together, by name and by number; one that is none ends it before any is queued', async () => {
  await startEngine(site.database, [handler])
  const more = await aSyncTask(site.db, { name: 'Stock levels' })
  const { run } = await commandLine()
  const { exit, out } = await run(['preview', 'Prices', String(more.id), 'Broken', '--json'], { env })
  const names = JSON.parse(out).map((one: { task_name: string; plan: object | null }) => [
    one.task_name,
    one.plan !== null,
  ])
  expect([exit, names.toSorted()]).toEqual([
    1,
    [
      ['Broken', false],
      ['Prices', true],
      ['Stock levels', true],
    ],
  ])
  const runsBefore = await site.db.selectFrom('runs').select('id').execute()
  expect(await run(['preview', 'Prices', 'Nowhere'], { env })).toMatchObject({
    exit: 2,
    err: expect.stringContaining('Unknown task "Nowhere"'),
  })
  expect(await site.db.selectFrom('runs').select('id').execute()).toHaveLength(runsBefore.length)
})

test.each([['preview'], ['preview Prices --all'], ['preview --all --type Shops']])(
  '%s is no command',
  async (line) => {
    const { run } = await commandLine()
    const { exit, err } = await run(line, { env })
    expect([exit, err]).toEqual([2, expect.stringContaining('Name tasks, or give one of')])
  },
)
