import { type Kysely, sql } from 'kysely'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/app.ts'
import { aConfig, aRun, aSourceTask, aSyncTask, aType } from '../../../../test/factories.ts'
import { LiveEvent, type StreamOf } from '../../../contract/events.ts'
import { PipelineState } from '../../../contract/pipeline.ts'
import { SourceTask } from '../../../contract/source-tasks.ts'
import { SyncTask } from '../../../contract/sync-tasks.ts'
import type { Database } from '../../platform/schema.ts'

let app: TestApp
let ada: SignedIn
let root: string
const open: AbortController[] = []

beforeAll(async () => {
  app = await testApp()
  ada = await app.signIn('ada@example.com')
  root = await app.app.listen({ host: '127.0.0.1', port: 0 })
})

afterEach(() => {
  for (const controller of open.splice(0)) controller.abort()
})

/** The events of a stream as they come; ends with the stream. */
async function* stream(of: StreamOf = 'tasks'): AsyncGenerator<LiveEvent, void> {
  const controller = new AbortController()
  open.push(controller)
  const reply = await fetch(`${root}/api/events?of=${of}`, {
    headers: ada.headers,
    signal: controller.signal,
  })
  expect(reply.headers.get('content-type')).toMatch('text/event-stream')
  let text = ''
  for await (const bytes of reply.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const blocks = (text + bytes).split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const data = block.split('\n').find((line) => line.startsWith('data: '))
      if (data) yield LiveEvent.parse(JSON.parse(data.slice('data: '.length)))
    }
  }
}

/** Reads on until an event answers the question, and returns what it answers. */
async function until<T>(
  events: AsyncGenerator<LiveEvent, void>,
  find: (event: LiveEvent) => T | undefined,
): Promise<T> {
  for (;;) {
    const { value, done } = await events.next()
    if (done || !value) throw new Error('The stream ended')
    const found = find(value)
    if (found !== undefined) return found
  }
}

// A task that never ran has no state, which is an answer, too.
const statusOf = (id: number) => (event: LiveEvent) => {
  const task = event.type === 'status' ? event.tasks.find((one) => one.id === id) : undefined
  return task && (task.state ?? 'never ran')
}

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

test('adding and deleting tasks, and editing types, says that the list is to be read again', async () => {
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

test('a task that was edited comes by itself: nobody has to read the list again', async () => {
  const task = await aSyncTask(app.db)
  const events = stream()
  await events.next()
  await ada.request('POST', `/api/sync_tasks/${task.id}/toggle_active`, {})
  const changed = await until(events, (event) => (event.type === 'changed' ? event.tasks : undefined))
  expect(changed.map((one) => SyncTask.parse(one))).toMatchObject([
    { id: task.id, is_active: false, task_status: 'Pending' },
  ])
})

test('every reader hears at once that somebody began a Run All, and that its last run has ended', async () => {
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

test('when a task ends, those that wait for its type hear of it too', async () => {
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

/** What a stream of types tells next of one of them. */
const typeOf = (events: AsyncGenerator<LiveEvent, void>, id: number) =>
  until(events, (event) => (event.type === 'types' ? event.types.find((one) => one.id === id) : undefined))

test('a stream of types begins with the states of all types, and tells of those that change and of those that wait for them', async () => {
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

test('progress and log lines are not told to those who follow types, and types not to those who follow tasks', async () => {
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
  const heard = new Set<string>()
  await until(tasks, ({ type }) => {
    heard.add(type)
    return type === 'log' || undefined
  })
  await app.db.updateTable('runs').set({ state: 'success' }).where('id', '=', run.id).execute()
  const { value } = await types.next()
  expect(value).toMatchObject({ type: 'types', types: [{ id: type.id, counts: { running: 0, success: 1 } }] })
  await until(tasks, (event) => {
    heard.add(event.type)
    return statusOf(task.id)(event) === 'success' || undefined
  })
  expect(heard).not.toContain('types')
})

test('a type that is added or edited has those who follow types read the graph again', async () => {
  const events = stream('types')
  await events.next()
  const changed = () => until(events, ({ type }) => (type === 'tasks' ? type : undefined))
  const type = (await ada.request('POST', '/api/sync_task_types', { name: 'Followed' })).json()
  await changed()
  await ada.request('PUT', `/api/sync_task_types/${type.id}`, { name: 'Followed on' })
  await changed()
})

test('a stream of compiles tells the states of configurations and their edits, and none of sync tasks', async () => {
  const [config, sync] = [await aConfig(app.db), await aSyncTask(app.db)]
  const compiles = stream('compiler_tasks')
  const first = await until(compiles, (event) => (event.type === 'status' ? event.tasks : undefined))
  expect(first.map(({ id }) => id)).toContain(config.task_id)
  expect(first.map(({ id }) => id)).not.toContain(sync.id)
  await aRun(app.db, config.task_id, { category: 'compiler' })
  await until(compiles, (event) => statusOf(config.task_id)(event) === 'queued' || undefined)
  await ada.request('DELETE', `/api/compiler/configs/${config.id}/logs`)
  const edited = await until(compiles, (event) => (event.type === 'changed' ? event.tasks : undefined))
  expect(edited).toEqual([{ id: config.task_id }])
})

test('a stream of source tasks tells their states, edits and log lines, and none of sync tasks; theirs none of these', async () => {
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
  const heard: LiveEvent[] = []
  await until(syncs, (event) => {
    heard.push(event)
    return statusOf(sync.id)(event) === 'queued' || undefined
  })
  expect(JSON.stringify(heard)).not.toContain(`Of ${source.id}"`)
  expect(heard.some(({ type }) => type === 'changed')).toBe(false)
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

test('the stream needs a session', async () => {
  const reply = await fetch(`${root}/api/events`)
  expect(reply.status).toBe(401)
})

test('a stream ends soon after its session, however much there is to tell', async () => {
  const dora = await app.signIn('dora@example.com')
  const controller = new AbortController()
  open.push(controller)
  const reply = await fetch(`${root}/api/events`, { headers: dora.headers, signal: controller.signal })
  const task = await aSyncTask(app.db)
  const run = await aRun(app.db, task.id, { state: 'running', started_at: new Date() })
  const busy = setInterval(() => {
    const done = sql<number>`rows_done + 1`
    app.db
      .updateTable('runs')
      .set({ rows_done: done })
      .where('id', '=', run.id)
      .execute()
      .catch(() => {})
  }, 200)
  await dora.request('GET', '/auth/logout')
  for await (const bytes of reply.body ?? []) expect(bytes.length).toBeGreaterThan(0)
  clearInterval(busy)
})

test('a session has 20 streams at most: the next one is 429 with Retry-After, until one of them ends', async () => {
  const { headers } = await app.signIn('fred@example.com')
  // They are held: fetch hangs up when nobody holds a reply that was not read.
  const replies: Response[] = []
  const another = async () => {
    const controller = new AbortController()
    open.push(controller)
    const reply = await fetch(`${root}/api/events`, { headers, signal: controller.signal })
    replies.push(reply)
    return { status: reply.status, retryAfter: reply.headers.get('retry-after'), controller }
  }
  const streams = await Promise.all(Array.from({ length: 20 }, another))
  expect(streams.filter(({ status }) => status === 200).length).toBe(20)
  expect(await another()).toMatchObject({ status: 429, retryAfter: '15' })
  streams[0]?.controller.abort()
  await expect.poll(async () => (await another()).status).toBe(200)
  expect(await another()).toMatchObject({ status: 429 })
  expect(replies.filter(({ ok }) => ok).length).toBe(21)
})

test('opening a stream does not prolong an idle session, as any other call does', async () => {
  const { headers, request } = await app.signIn('emil@example.com')
  const old = {
    last_seen_at: sql<Date>`now() - interval '11 hours'`,
    expires_at: sql<Date>`now() + interval '1 hour'`,
  }
  const emils = (users: Kysely<Database>) =>
    users.selectFrom('users').select('id').where('email', '=', 'emil@example.com')
  const hoursLeft = async () => {
    const left = sql<number>`extract(epoch from expires_at - now()) / 3600`.as('hours')
    const row = await app.db
      .selectFrom('sessions')
      .select(left)
      .where('user_id', 'in', emils(app.db))
      .executeTakeFirstOrThrow()
    return Number(row.hours)
  }
  await app.db.updateTable('sessions').set(old).where('user_id', 'in', emils(app.db)).execute()
  const controller = new AbortController()
  open.push(controller)
  expect((await fetch(`${root}/api/events`, { headers, signal: controller.signal })).status).toBe(200)
  expect(await hoursLeft()).toBeLessThan(1.01)
  await request('GET', '/api/users')
  expect(await hoursLeft()).toBeGreaterThan(11)
})

test('streams end when the server closes, and closing does not wait for them', async () => {
  const events = stream()
  await events.next()
  await app.app.close()
  for await (const event of events) expect(event.type).not.toBe('nothing')
})

test('how the pipeline stands comes as soon as a reader comes, and again when a run has failed', async () => {
  const task = await aSyncTask(app.db, { name: 'Nightly' })
  const events = stream('pipeline')
  const failed = (event: LiveEvent) => {
    if (event.type !== 'pipeline') return undefined
    const { attention } = PipelineState.parse(event.state)
    return attention.some(({ task: { id } }) => id === task.id)
  }
  expect(await until(events, failed)).toBe(false)
  await aRun(app.db, task.id, { state: 'failed', error: 'Gone.', finished_at: new Date() })
  await until(events, (event) => failed(event) || undefined)
})
