import { afterEach, beforeAll, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { statusOf, streamsOf, until } from '../../../../test/fixtures/event-streams.ts'
import { aRun, aSyncTask, aType } from '../../../../test/fixtures/factories.ts'
import type { LiveEvent, StreamOf } from '../../../contract/events/calls.ts'

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

/** The next state of one type in a stream of types. */
const typeOf = (events: AsyncGenerator<LiveEvent, void>, id: number) =>
  until(events, (event) => (event.type === 'types' ? event.types.find((one) => one.id === id) : undefined))

test('a type stream starts with the states of all types and sends changed types and the types that wait for them', async () => {
  const first = await aType(app.db)
  const second = await aType(app.db)
  await app.db
    .insertInto('task_type_dependencies')
    .values({ task_type_id: second.id, depends_on_id: first.id, condition: 'success', position: 0 })
    .execute()
  const task = await aSyncTask(app.db, { task_type_id: first.id, name: 'First of all' })
  const events = stream('types')
  const begin = await until(events, (event) => (event.type === 'types' ? event.types : undefined))
  expect(begin.find(({ id }) => id === first.id)).toMatchObject({
    counts: { never_run: 1 },
    ahead: [],
    queue: [],
  })
  expect(begin.find(({ id }) => id === second.id)).toMatchObject({ counts: { never_run: 0 }, ahead: [] })

  const run = await aRun(app.db, task.id, { state: 'running', task_type_id: first.id })
  const started = await until(events, (event) =>
    event.type === 'types' && event.types.some(({ id }) => id === second.id) ? event.types : undefined,
  )
  expect(started.map(({ id }) => id).sort()).toEqual([first.id, second.id])
  expect(started).toContainEqual(
    expect.objectContaining({ id: first.id, counts: expect.objectContaining({ running: 1 }) }),
  )
  expect(started).toContainEqual(expect.objectContaining({ id: second.id, ahead: [first.id], unmet: [] }))

  await app.db.updateTable('runs').set({ state: 'failed' }).where('id', '=', run.id).execute()
  expect(await typeOf(events, second.id)).toMatchObject({ ahead: [], unmet: ['First of all (failed)'] })
})

test('type streams get no progress or log lines, and task streams no types', async () => {
  const type = await aType(app.db)
  const task = await aSyncTask(app.db, { task_type_id: type.id })
  const run = await aRun(app.db, task.id, { state: 'running', task_type_id: type.id })
  const types = stream('types')
  const tasks = stream()
  await tasks.next()
  expect(await typeOf(types, type.id)).toMatchObject({ counts: { running: 1 } })
  await app.db.updateTable('runs').set({ rows_done: 10 }).where('id', '=', run.id).execute()
  const line = { task_id: task.id, run_id: run.id, level: 'INFO', message: 'Half of it' } as const
  await app.db.insertInto('log_entries').values(line).execute()
  const received = new Set<string>()
  await until(tasks, ({ type }) => {
    received.add(type)
    return type === 'log' || undefined
  })
  await app.db.updateTable('runs').set({ state: 'success' }).where('id', '=', run.id).execute()
  const { value } = await types.next()
  expect(value).toMatchObject({ type: 'types', types: [{ id: type.id, counts: { running: 0, success: 1 } }] })
  await until(tasks, (event) => {
    received.add(event.type)
    return statusOf(task.id)(event) === 'success' || undefined
  })
  expect(received).not.toContain('types')
})

test('adding or editing a type makes readers of the type stream reload the graph', async () => {
  const events = stream('types')
  await events.next()
  const changed = () => until(events, ({ type }) => (type === 'tasks' ? type : undefined))
  const type = (await ada.request('POST', '/api/sync_task_types', { name: 'Followed' })).json()
  await changed()
  await ada.request('PUT', `/api/sync_task_types/${type.id}`, { name: 'Followed on' })
  await changed()
})
