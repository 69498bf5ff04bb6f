import pino from 'pino'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { type SignedIn, testApp } from '../../../../test/fixtures/app.ts'
import { copyWorld, until } from '../../../../test/fixtures/copy-world.ts'
import { aRun } from '../../../../test/fixtures/factories.ts'
import { PreviewReply } from '../../../contract/plans/calls.ts'
import { planServerMessages as messages } from '../../../contract/plans/server-messages.ts'
import { startDue } from '../../engine/schedule/start-due.ts'
import { readTypeWaits } from '../../engine/type-waits.ts'

const world = copyWorld()
let ada: SignedIn
beforeAll(async () => {
  const site = await testApp({ database: world.database, handlers: world.handlers })
  ada = await site.signIn()
})
beforeEach(() => world.faults())

const header = ['SKU', 'Stock']
const rows = Array.from({ length: 25 }, (_, n) => [`SKU-${n}`, n])

/** A task with a preview that is reading the source and does not end by itself. */
async function previewing(): Promise<{ task: number; run_id: number }> {
  const { source, task } = await world.pair([header, ...rows])
  await world.faults({ kind: 'latency', ms: 60_000, match: { spreadsheet_id: source } })
  const { run_id } = PreviewReply.parse((await ada.request('POST', `/api/sync_tasks/${task}/preview`)).json())
  await until(async () => (await stateOf(run_id)) === 'running')
  return { task, run_id }
}

async function stateOf(run_id: number): Promise<string> {
  const run = await world.db
    .selectFrom('runs')
    .select('state')
    .where('id', '=', run_id)
    .executeTakeFirstOrThrow()
  return run.state
}

async function isEnded(run_id: number): Promise<boolean> {
  return !['queued', 'running', 'stopping'].includes(await stateOf(run_id))
}

test('a task can be edited while a preview is live, alone and with others', async () => {
  const { task, run_id } = await previewing()
  const { updated_at } = (await ada.request('GET', `/api/sync_tasks/${task}`)).json()
  const edited = await ada.request('PUT', `/api/sync_tasks/${task}`, { start_row: 2, updated_at })
  expect(edited.statusCode, edited.body).toBe(200)
  const bulk = await ada.request('POST', '/api/tasks/bulk', {
    action: 'change_schedule',
    ids: [task],
    scheduled_times: ['07:30'],
  })
  expect(bulk.json().counts.done, bulk.body).toBe(1)
  await world.faults()
  await world.stop(task)
  await until(() => isEnded(run_id))
})

test('a plan whose task copies something else by now is outdated', async () => {
  const { task } = await world.pair([header, ...rows])
  const previewed = await ada.request('POST', `/api/sync_tasks/${task}/preview?wait=60`)
  const { plan } = PreviewReply.parse(previewed.json())
  await world.db
    .updateTable('sync_tasks')
    .set({ source_sheet_name: 'Others', source_place: null })
    .where('task_id', '=', task)
    .execute()
  const reply = await ada.request('POST', `/api/sync_tasks/${task}/execute`, { plan: plan?.hash })
  expect([reply.statusCode, reply.json().message]).toEqual([409, messages.outdated_settings])
})

test.each([
  ['alone', async (task: number) => ada.request('DELETE', `/api/sync_tasks/${task}`)],
  [
    'with others',
    async (task: number) =>
      ada.request('POST', '/api/tasks/bulk', { action: 'delete', ids: [task], at_once: true }),
  ],
  ['with all', async () => ada.request('DELETE', '/api/sync_tasks/delete_all')],
])('a task deleted %s is gone, and its preview is stopped', async (_, remove) => {
  const { task, run_id } = await previewing()
  const reply = await remove(task)
  expect(reply.statusCode, reply.body).toBeLessThan(300)
  expect((await ada.request('GET', `/api/sync_tasks/${task}`)).statusCode).toBe(404)
  await until(() => isEnded(run_id))
  expect(await stateOf(run_id)).toBe('stopped')
})

test('runs of a dependent type do not wait for a preview', async () => {
  const { task, run_id } = await previewing()
  const { task: dependent } = await world.pair([header, ...rows])
  const type_of = async (id: number) => {
    const { task_type_id } = await world.db
      .selectFrom('tasks')
      .select('task_type_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    if (task_type_id === null) throw new Error('The task has no type')
    return task_type_id
  }
  const type_id = await type_of(dependent)
  await world.db
    .insertInto('task_type_dependencies')
    .values({
      task_type_id: type_id,
      depends_on_id: await type_of(task),
      position: 1,
      condition: 'completion',
    })
    .execute()
  expect((await readTypeWaits(world.db, [type_id])).get(type_id)?.ahead).toEqual([])
  const run = await world.run(dependent)
  expect(run.state).toBe('success')
  expect(await stateOf(run_id)).toBe('running')
  await world.stop(task)
  await until(() => isEnded(run_id))
})

test('a preview runs beside a queued run of its task, whose state and last success stay', async () => {
  const { task } = await world.pair([header, ...rows])
  await world.run(task)
  const { id } = await aRun(world.db, task, {
    ...{ state: 'queued', attempts: 1, not_before: new Date(Date.now() + 3_600_000), definition: '{}' },
  })
  const taskRow = () =>
    world.db.selectFrom('tasks').selectAll().where('id', '=', task).executeTakeFirstOrThrow()
  const before = await taskRow()
  const reply = await ada.request('POST', `/api/sync_tasks/${task}/preview?wait=60`)
  expect([reply.statusCode, reply.json().plan?.state]).toEqual([200, 'open'])
  expect(await taskRow()).toEqual(before)
  expect(await stateOf(id)).toBe('queued')
  const shown = (await ada.request('GET', `/api/sync_tasks/${task}`)).json()
  expect(shown).toMatchObject({ task_status: 'Queued' })
  await world.stop(task)
})

test('what is due while a preview is live starts, and is not missed', async () => {
  const { task, run_id } = await previewing()
  const due_at = new Date(Math.floor(Date.now() / 60_000) * 60_000)
  await world.db
    .insertInto('due_moments')
    .values({ schedule: 'task', task_id: task, due_at, last_due_at: due_at, moments: 1, stage: 0 })
    .execute()
  await startDue({ db: world.db, handlers: world.handlers, log: pino({ level: 'silent' }), zone: 'UTC' })
  const moment = await world.db
    .selectFrom('due_moments')
    .select(['outcome', 'reason', 'run_id'])
    .where('task_id', '=', task)
    .executeTakeFirstOrThrow()
  expect(moment).toMatchObject({ outcome: 'started', reason: null, run_id: expect.any(Number) })
  expect(await stateOf(run_id)).toBe('running')
  await world.faults()
  await world.stop(task)
  await until(() => isEnded(run_id))
})
