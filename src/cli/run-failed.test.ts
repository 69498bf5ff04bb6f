import { beforeEach, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../test/fixtures/app.ts'
import { done, handlerOf, handlersByName, startEngine } from '../../test/fixtures/engine.ts'
import { aConfig, aRun, aSourceTask, aTaskOfTab, aType } from '../../test/fixtures/factories.ts'
import { compileReceipt } from '../../test/fixtures/receipts.ts'
import { aToken } from '../../test/fixtures/tokens.ts'
import { commandLine } from '../../test/processes/command-line.ts'
import { tokenMessages } from '../contract/tokens/client-messages.ts'
import { RunFailure } from '../server/engine/types.ts'

let site: TestApp
let env: { ROWFERRY_URL: string; ROWFERRY_TOKEN: string }

const handlers = [
  ...handlersByName(
    () => site.db,
    async (name) => {
      if (name === 'Still broken') throw new RunFailure('No such tab.', { retryable: false })
      return done
    },
  ),
  handlerOf(async () => ({ message: 'Done', receipt: compileReceipt }), { category: 'compiler' }),
]

beforeEach(async () => {
  site = await testApp({ handlers })
  const ROWFERRY_TOKEN = await aToken(await site.signIn(), 'run')
  env = { ROWFERRY_URL: await site.app.listen({ host: '127.0.0.1', port: 0 }), ROWFERRY_TOKEN }
})

const finishedAt = new Date()
const failure = { error: 'No such tab.', finished_at: finishedAt }

/** Two failed sync tasks, a failed source task, a failed configuration, an inactive failed task, and one that did not fail. */
async function aMorning() {
  const type = await aType(site.db, { allowed_concurrent_tasks: 9 })
  const sync = (name: string, is_active = true) =>
    aTaskOfTab(site.db, { name, is_active, task_type_id: type.id })
  const [one, two, idle, well] = [
    await sync('Repaired'),
    await sync('Still broken'),
    await sync('Idle', false),
    await sync('Well'),
  ]
  const source = await aSourceTask(site.db, { name: 'Stock' })
  const config = await aConfig(site.db, { name: 'Shop' })
  await aRun(site.db, one.id, { state: 'failed', ...failure })
  await aRun(site.db, two.id, { state: 'error', ...failure })
  await aRun(site.db, idle.id, { state: 'failed', ...failure })
  await aRun(site.db, well.id, { state: 'success', finished_at: finishedAt })
  await aRun(site.db, source.id, { category: 'source', state: 'failed', ...failure })
  await aRun(site.db, config.task_id, { category: 'compiler', state: 'failed', ...failure })
  return { one, two, idle, well, source, config }
}

test('run --failed runs exactly the tasks that failed, of all categories, and says what it skipped', async () => {
  const { one, two, idle, well, source, config } = await aMorning()
  await startEngine(site.database, handlers)
  const { run } = await commandLine()
  const { exit, out } = await run('run --failed', { env })
  expect(exit).toBe(0)
  expect(out).toContain('Queued 4 tasks.\n')
  expect(out).toContain(`${idle.id}  Idle: skipped. Idle is inactive\n`)
  const again = await site.db
    .selectFrom('runs')
    .select('task_id')
    .groupBy('task_id')
    .having(({ fn }) => fn.countAll(), '>', 1)
    .orderBy('task_id')
    .execute()
  expect(again.map(({ task_id }) => task_id)).toEqual(
    [one.id, two.id, source.id, config.task_id].toSorted((a, b) => a - b),
  )
  expect(again).not.toContainEqual({ task_id: well.id })
})

test('run --failed --wait exits by the worst outcome and prints each run as JSON', async () => {
  const { one, two, idle } = await aMorning()
  await startEngine(site.database, handlers)
  const { run } = await commandLine()
  const { exit, out, err } = await run('run --failed --wait --json', { env })
  expect([exit, err]).toEqual([1, ''])
  const reply = JSON.parse(out)
  expect(reply.queued).toContainEqual({ id: one.id, category: 'sync', name: 'Repaired' })
  expect(reply.skipped).toEqual([
    { id: idle.id, category: 'sync', name: 'Idle', status: 'skipped', reason: 'Idle is inactive' },
  ])
  expect(reply.runs).toHaveLength(4)
  expect(reply.runs).toContainEqual(expect.objectContaining({ task_id: one.id, state: 'success' }))
  expect(reply.runs).toContainEqual(expect.objectContaining({ task_id: two.id, state: 'failed' }))
})

test('nothing has failed, a task is named as well, or neither: each is said', async () => {
  const { run } = await commandLine()
  expect(await run('run --failed', { env })).toEqual({ exit: 0, out: 'No task has failed.\n', err: '' })
  expect((await run('run --failed Well', { env })).exit).toBe(2)
  expect((await run('run', { env })).exit).toBe(2)
})

test('a token that may only read starts nothing with --failed', async () => {
  await aMorning()
  const { run } = await commandLine()
  const reader = { ...env, ROWFERRY_TOKEN: await aToken(await site.signIn(), 'read') }
  expect(await run('run --failed', { env: reader })).toEqual({
    exit: 5,
    out: '',
    err: `${tokenMessages.right_missing('run')}\n`,
  })
})
