import { sql } from 'kysely'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { statusOf, streamsOf, until } from '../../../../test/fixtures/event-streams.ts'
import { aConfig, aRun, aSourceTask, aSyncTask, aType } from '../../../../test/fixtures/factories.ts'
import type { LiveEvent, StreamOf } from '../../../contract/events/calls.ts'
import { PipelineState } from '../../../contract/pipeline/calls.ts'
import { SourceTask } from '../../../contract/source-tasks/calls.ts'
import { SyncTask } from '../../../contract/sync-tasks/calls.ts'

let app: TestApp
let ada: SignedIn
let streams: ReturnType<typeof streamsOf>
const stream = (of?: StreamOf) => streams.stream(of)

beforeAll(async () => {
  app = await testApp()
  ada = await app.signIn('ada@example.com')
  streams = streamsOf(await app.app.listen({ host: '127.0.0.1', port: 0 }), ada)
})

afterEach(() => streams.hangUp())

test('a stream begins with the current state of every sync task', async () => {
  const resting = await aSyncTask(app.db)
  const failed = await aSyncTask(app.db)
  await aRun(app.db, failed.id, { state: 'failed' })
  const { value } = await stream().next()
  expect(value).toMatchObject({ type: 'status' })
  if (value?.type !== 'status') return
  const states = new Map(value.tasks.map(({ id, state }) => [id, state]))
  expect([states.get(resting.id), states.get(failed.id)]).toEqual([null, 'failed'])
})

test('status, progress and log lines come as they happen', async () => {
  const task = await aSyncTask(app.db)
  const events = stream()
  expect(await until(events, statusOf(task.id))).toBe('never ran')

  const run = await aRun(app.db, task.id, { state: 'running', started_at: new Date() })
  expect(await until(events, statusOf(task.id))).toBe('running')

  await app.db
    .updateTable('runs')
    .set({ rows_done: 500, rows_total: 1000, phase: 'Reading' })
    .where('id', '=', run.id)
    .execute()
  const progress = await until(events, (event) =>
    event.type === 'status' ? event.tasks.find(({ id }) => id === task.id)?.progress : undefined,
  )
  expect(progress).toMatchObject({ phase: 'Reading', rows_done: 500, rows_total: 1000 })

  await app.db
    .insertInto('log_entries')
    .values({ task_id: task.id, run_id: run.id, level: 'WARNING', message: 'Look here' })
    .execute()
  const line = await until(events, (event) => (event.type === 'log' ? event : undefined))
  expect(line).toMatchObject({ task_id: task.id, entry: { level: 'WARNING', message: 'Look here' } })
})

test.each([
  ['tasks', aSyncTask],
  ['source_tasks', aSourceTask],
] as const)(
  'every reader of the stream of %s receives every status, not only the first reader',
  async (of, make) => {
    const { id } = await make(app.db)
    const readers = [stream(of), stream(of), stream(of)]
    for (const events of readers) expect(await until(events, statusOf(id))).toBe('never ran')

    const run = await aRun(app.db, id, { state: 'running', started_at: new Date() })
    for (const events of readers) expect(await until(events, statusOf(id))).toBe('running')
    await app.db.updateTable('runs').set({ state: 'success' }).where('id', '=', run.id).execute()
    for (const events of readers) expect(await until(events, statusOf(id))).toBe('success')
  },
)

test('adding or deleting tasks and editing types invalidate the list', async () => {
  const events = stream()
  await events.next()
  const listChanged = () => until(events, ({ type }) => (type === 'tasks' ? type : undefined))

  const type = (await ada.request('POST', '/api/sync_task_types', { name: 'Streamed' })).json()
  await listChanged()
  await ada.request('PUT', `/api/sync_task_types/${type.id}`, { max_retries: 1 })
  await listChanged()
  const task = await aSyncTask(app.db, { task_type_id: type.id })
  await ada.request('DELETE', `/api/sync_tasks/${task.id}`)
  await listChanged()
})

test('an edited task is sent on its own, without invalidating the list', async () => {
  const task = await aSyncTask(app.db)
  const events = stream()
  await events.next()
  await ada.request('POST', `/api/sync_tasks/${task.id}/toggle_active`, {})
  const changed = await until(events, (event) => (event.type === 'changed' ? event.tasks : undefined))
  expect(changed.map((one) => SyncTask.parse(one))).toMatchObject([
    { id: task.id, is_active: false, task_status: 'Pending' },
  ])
})

test('every stream reports at once that a Run All began and that its last run ended', async () => {
  const task = await aSyncTask(app.db)
  const events = stream()
  const all_running = () =>
    until(events, (event) => (event.type === 'run_all' ? event.all_running_status : undefined))
  expect(await all_running()).toBe(false)
  const { statusCode } = await ada.request('POST', '/api/sync_tasks/execute_all')
  expect(statusCode).toBe(200)
  expect(await all_running()).toBe(true)
  await ada.request('POST', '/api/sync_tasks/stop_all')
  expect(await all_running()).toBe(false)
  expect(await until(stream(), statusOf(task.id))).toBe('stopped')
})

test('a burst of changes comes as a few events that end in the last state', async () => {
  const tasks = await Promise.all(Array.from({ length: 40 }, () => aSyncTask(app.db)))
  const events = stream()
  await events.next()
  for (const { id } of tasks) await aRun(app.db, id, { state: 'running' })
  await app.db.updateTable('runs').set({ state: 'success', finished_at: new Date() }).execute()

  const done = new Set<number>()
  let count = 0
  while (done.size < tasks.length) {
    const event = await until(events, (one) => (one.type === 'status' ? one : undefined))
    count += 1
    for (const { id, state } of event.tasks) {
      if (state === 'success' && tasks.some((task) => task.id === id)) done.add(id)
    }
  }
  expect(count).toBeLessThan(20)
})

test('when a task ends, tasks that wait for its type are updated, too', async () => {
  const first = await aType(app.db)
  const second = await aType(app.db)
  await app.db
    .insertInto('task_type_dependencies')
    .values({ task_type_id: second.id, depends_on_id: first.id, condition: 'success', position: 0 })
    .execute()
  const before = await aSyncTask(app.db, { task_type_id: first.id })
  const waiting = await aSyncTask(app.db, { task_type_id: second.id })
  const run = await aRun(app.db, before.id, { state: 'running' })
  const events = stream()
  const standing = () =>
    until(events, (event) =>
      event.type === 'status'
        ? event.tasks.find(({ id }) => id === waiting.id)?.prerequisites_count
        : undefined,
    )
  expect(await standing()).toBe(1)
  await app.db.updateTable('runs').set({ state: 'success' }).where('id', '=', run.id).execute()
  expect(await standing()).toBe(0)
})

test('a compile stream sends states and edits of configurations, and nothing of sync tasks', async () => {
  const [config, sync] = [await aConfig(app.db), await aSyncTask(app.db)]
  const compiles = stream('compiler_tasks')
  const first = await until(compiles, (event) => (event.type === 'status' ? event.tasks : undefined))
  expect(first.map(({ id }) => id)).toContain(config.task_id)
  expect(first.map(({ id }) => id)).not.toContain(sync.id)
  await aRun(app.db, config.task_id, { category: 'compiler' })
  await until(compiles, (event) => statusOf(config.task_id)(event) === 'queued' || undefined)
  await ada.request('DELETE', `/api/compiler/configs/${config.id}/logs`)
  const edited = await until(compiles, (event) => (event.type === 'changed' ? event.tasks : undefined))
  expect(edited).toMatchObject([{ id: config.task_id, mark: null, claim: null }])
})

test('a source task stream sends states, edits and log lines of source tasks only, and a sync task stream none of them', async () => {
  const [source, sync] = [await aSourceTask(app.db), await aSyncTask(app.db)]
  const [sources, syncs] = [stream('source_tasks'), stream()]
  const first = await until(sources, (event) => (event.type === 'status' ? event.tasks : undefined))
  expect(first.map(({ id }) => id)).toContain(source.id)
  expect(first.map(({ id }) => id)).not.toContain(sync.id)
  await until(syncs, statusOf(sync.id))

  for (const { id } of [sync, source, sync])
    await app.db
      .insertInto('log_entries')
      .values({ task_id: id, level: 'INFO', message: `Of ${id}` })
      .execute()
  await ada.request('PUT', `/api/source_tasks/${source.id}`, { name: 'Renamed' })
  const seen: LiveEvent[] = []
  const tasks = await until(sources, (event) => {
    seen.push(event)
    return event.type === 'changed' ? event.tasks : undefined
  })
  expect(SourceTask.parse(tasks[0])).toMatchObject({ id: source.id, name: 'Renamed' })
  await aRun(app.db, source.id, { category: 'source' })
  await until(sources, (event) => {
    seen.push(event)
    return statusOf(source.id)(event) === 'queued' || undefined
  })
  const lines = seen.flatMap((event) => (event.type === 'log' ? event.task_id : []))
  expect(new Set(lines)).toEqual(new Set([source.id]))

  // The last of what the others hear: had there been more, it would have come before.
  await aRun(app.db, sync.id)
  const received: LiveEvent[] = []
  await until(syncs, (event) => {
    received.push(event)
    return statusOf(sync.id)(event) === 'queued' || undefined
  })
  expect(JSON.stringify(received)).not.toContain(`Of ${source.id}"`)
  expect(received.some(({ type }) => type === 'changed')).toBe(false)
})

test('after an outage of the database connection every reader is brought up to date', async () => {
  const task = await aSyncTask(app.db)
  const events = stream()
  expect(await until(events, statusOf(task.id))).toBe('never ran')
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name like '%listen'`.execute(app.db)
  expect(await until(events, ({ type }) => (type === 'tasks' ? type : undefined))).toBe('tasks')
  expect(await until(events, statusOf(task.id))).toBe('never ran')
})
test('the pipeline status is sent when a reader connects, and again when a run fails', async () => {
  const task = await aSyncTask(app.db, { name: 'Nightly' })
  const events = stream('pipeline')
  const failed = (event: LiveEvent) => {
    if (event.type !== 'pipeline') return undefined
    const { attention } = PipelineState.parse(event.state)
    return attention.some(({ tasks }) => tasks.some(({ task: { id } }) => id === task.id))
  }
  expect(await until(events, failed)).toBe(false)
  await aRun(app.db, task.id, { state: 'failed', error: 'Gone.', finished_at: new Date() })
  await until(events, (event) => failed(event) || undefined)
})
