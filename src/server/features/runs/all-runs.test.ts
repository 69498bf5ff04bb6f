import { afterEach, beforeAll, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { streamsOf, until } from '../../../../test/fixtures/event-streams.ts'
import { aConfig, aRun, aSourceTask, aSyncTask, aType, aUser } from '../../../../test/fixtures/factories.ts'
import { aToken, withToken } from '../../../../test/fixtures/tokens.ts'
import { allRuns, ListedRun } from '../../../contract/all-runs/calls.ts'
import { limits } from '../../../contract/limits.ts'

let app: TestApp
let ada: SignedIn
let streams: ReturnType<typeof streamsOf>

beforeAll(async () => {
  app = await testApp()
  ada = await app.signIn('ada@example.com')
  streams = streamsOf(await app.app.listen({ host: '127.0.0.1', port: 0 }), ada)
})

afterEach(async () => {
  streams.hangUp()
  await app.db.deleteFrom('runs').execute()
})

async function list(query: Record<string, string>) {
  const reply = await ada.request('GET', `/api/runs?${new URLSearchParams(query)}`)
  expect(reply.statusCode, reply.body).toBe(200)
  return allRuns.list.reply.parse(reply.json())
}
const idsOf = async (query: Record<string, string>) => (await list(query)).runs.map(({ id }) => id)

/** One run of each kind, in the order in which they were queued, an hour apart. */
async function aNight() {
  const { db } = app
  const user = await aUser(db)
  const type = await aType(db)
  const sync = await aSyncTask(db, { task_type_id: type.id })
  const source = await aSourceTask(db)
  const config = await aConfig(db)
  const at = (hour: number) => new Date(Date.UTC(2026, 10, 20, hour))
  const ended = (hour: number) => ({ queued_at: at(hour), started_at: at(hour), finished_at: at(hour) })
  const failed = await aRun(db, sync.id, {
    ...ended(1),
    state: 'failed',
    task_type_id: type.id,
    task_name: 'Prices to Shop',
    trigger: 'schedule',
    trigger_label: 'its own schedule',
    error: 'No edit access to 100%_sure.',
  })
  const fetched = await aRun(db, source.id, {
    ...ended(4),
    category: 'source',
    task_name: source.name,
    state: 'success',
    triggered_by: user.id,
    trigger_label: user.email,
  })
  const compiled = await aRun(db, config.task_id, {
    ...ended(7),
    category: 'compiler',
    task_name: config.name,
    state: 'error',
    trigger: 'all',
  })
  const waiting = await aRun(db, source.id, { category: 'source', queued_at: at(10), task_name: source.name })
  return {
    user,
    type,
    sync,
    source,
    config,
    failed: failed.id,
    fetched: fetched.id,
    compiled: compiled.id,
    waiting: waiting.id,
  }
}

test('all runs of all categories are one list, newest first, each with its type and configuration', async () => {
  const { type, config, failed, fetched, compiled, waiting } = await aNight()
  const { runs, next, searched_to } = await list({})
  expect(runs.map(({ id }) => id)).toEqual([waiting, compiled, fetched, failed])
  expect([next, searched_to]).toEqual([null, null])
  expect(runs[1]).toMatchObject({ config_id: config.id, task_type: null, category: 'compiler' })
  expect(runs[3]).toMatchObject({
    task_type_id: type.id,
    task_type: type.name,
    config_id: null,
    user_id: null,
  })
})

test('the list is filtered by state, category, type, task, trigger, user, time and text, and by several of them', async () => {
  const { user, type, sync, failed, fetched, compiled, waiting } = await aNight()
  const cases: [Record<string, string>, number[]][] = [
    [{ state: 'failed' }, [failed]],
    [{ state: 'failed,error' }, [compiled, failed]],
    [{ state: 'queued,running' }, [waiting]],
    [{ state: 'queued,error' }, [waiting, compiled]],
    [{ state: 'success' }, [fetched]],
    [{ state: 'success,failed' }, [fetched, failed]],
    [{ state: 'stopped' }, []],
    [{ category: 'source' }, [waiting, fetched]],
    [{ task_type_id: String(type.id) }, [failed]],
    [{ task_id: String(sync.id) }, [failed]],
    [{ trigger: 'schedule' }, [failed]],
    [{ trigger: 'all' }, [compiled]],
    [{ user_id: String(user.id) }, [fetched]],
    [{ from: '2026-11-20T04:00:00.000Z' }, [waiting, compiled, fetched]],
    [{ to: '2026-11-20T04:00:00.000Z' }, [failed]],
    [{ from: '2026-11-20T02:00:00.000Z', to: '2026-11-20T08:00:00.000Z' }, [compiled, fetched]],
    [{ from: '2026-11-21T02:00:00.000Z' }, []],
    [{ search: 'prices TO' }, [failed]],
    [{ search: 'edit access' }, [failed]],
    [{ search: user.email.toUpperCase() }, [fetched]],
    [{ search: '100%_s' }, [failed]],
    [{ search: '100_' }, []],
    [{ search: '  ' }, [waiting, compiled, fetched, failed]],
    [{ state: 'failed,error', category: 'sync' }, [failed]],
    [{ state: 'failed', user_id: String(user.id) }, []],
    [{ state: 'failed,warning', task_type_id: String(type.id) }, [failed]],
    [{ state: 'stopped,queued', task_type_id: String(type.id) }, []],
    [{ category: 'source', state: 'success', search: 'source' }, [fetched]],
  ]
  for (const [query, ids] of cases) expect(await idsOf(query), JSON.stringify(query)).toEqual(ids)
})

test('paging returns every matching run once, also while runs are added', async () => {
  const task = await aSyncTask(app.db)
  const made: number[] = []
  for (let n = 0; n < 9; n += 1)
    made.push((await aRun(app.db, task.id, { state: n % 3 === 0 ? 'failed' : 'success' })).id)
  const queries: Record<string, string>[] = [
    {},
    { state: 'failed' },
    { state: 'success' },
    { task_id: String(task.id) },
  ]
  for (const query of queries) {
    const expected = await idsOf(query)
    const seen: number[] = []
    let cursor: number | null = null
    do {
      const page = await list({ ...query, limit: '2', ...(cursor && { cursor: String(cursor) }) })
      seen.push(...page.runs.map(({ id }) => id))
      cursor = page.next
      await aRun(app.db, task.id, { state: 'stopped' })
    } while (cursor !== null)
    expect(seen).toEqual(expected)
  }
  expect(made).toHaveLength(9)
})

test('a page scans a limited number of runs; rare matches are found on later pages', async () => {
  const task = await aSyncTask(app.db)
  const rare = await aRun(app.db, task.id, { state: 'success', message: 'A needle' })
  await app.db
    .insertInto('runs')
    .values(
      Array.from({ length: limits.runs_scanned + 10 }, () => ({
        task_id: task.id,
        category: 'sync' as const,
        task_name: 'Task',
        trigger: 'schedule',
        definition: '{}',
        state: 'success' as const,
      })),
    )
    .execute()
  const first = await list({ search: 'needle' })
  expect(first.runs).toEqual([])
  expect(first.searched_to).not.toBeNull()
  const second = await list({ search: 'needle', cursor: String(first.next) })
  expect(second.runs.map(({ id }) => id)).toEqual([rare.id])
  expect(second.next).toBeNull()
})

test('an unknown filter value is refused with the name of its field', async () => {
  for (const [query, field] of [
    ['state=fine', 'state'],
    ['category=x', 'category'],
    ['task_type_id=0', 'task_type_id'],
    ['user_id=-1', 'user_id'],
    ['trigger=cron', 'trigger'],
    ['from=yesterday', 'from'],
    [`search=${'x'.repeat(201)}`, 'search'],
    ['limit=0', 'limit'],
  ]) {
    const reply = await ada.request('GET', `/api/runs?${query}`)
    expect([reply.statusCode, reply.json().field], query).toEqual([400, field])
  }
})

test('runs require a session or a token with the right to read', async () => {
  const { failed } = await aNight()
  const token = await aToken(ada, 'read')
  for (const path of [
    '/api/runs',
    '/api/runs/choices',
    '/api/runs/timeline',
    '/api/runs/quota',
    `/api/runs/${failed}/report`,
  ]) {
    expect((await withToken(app.app, token)('GET', path)).statusCode, path).toBe(200)
    expect((await app.app.inject({ url: path })).statusCode, path).toBe(401)
  }
})

test('the filter options are the existing types and users', async () => {
  const { user, type } = await aNight()
  const idle = await aUser(app.db)
  const reply = allRuns.choices.reply.parse((await ada.request('GET', '/api/runs/choices')).json())
  expect(reply.types).toContainEqual({ id: type.id, name: type.name, category: 'sync' })
  expect(reply.users).toContainEqual({ id: user.id, email: user.email })
  expect(reply.users.map(({ id }) => id)).not.toContain(idle.id)
})

test('every change of a run is sent to the pages that follow all runs', async () => {
  const task = await aSourceTask(app.db)
  const events = streams.stream('runs')
  const changed = until(events, (event) =>
    event.type === 'runs' ? event.runs.map((run) => ListedRun.parse(run)) : undefined,
  )
  // The subscription exists when the first event arrives, so the run is changed until then.
  const run = await aRun(app.db, task.id, { category: 'source' })
  let rows = 0
  const timer = setInterval(async () => {
    rows += 1
    await app.db.updateTable('runs').set({ rows_done: rows }).where('id', '=', run.id).execute()
  }, 50)
  const [first] = await changed
  clearInterval(timer)
  expect(first).toMatchObject({ id: run.id, state: 'queued', category: 'source', receipt: null })

  await app.db
    .updateTable('runs')
    .set({ state: 'success', message: 'Done' })
    .where('id', '=', run.id)
    .execute()
  const over = await until(events, (event) =>
    event.type === 'runs'
      ? event.runs.map((one) => ListedRun.parse(one)).find(({ state }) => state === 'success')
      : undefined,
  )
  expect(over).toMatchObject({ id: run.id, message: 'Done' })
})

test('a timeline has the runs that waited or ran within its range, and the types that wait for others', async () => {
  const { db } = app
  const [first, second] = [await aType(db), await aType(db)]
  await db
    .insertInto('task_type_dependencies')
    .values({ task_type_id: second.id, depends_on_id: first.id, condition: 'completion', position: 1 })
    .execute()
  const task = async () => (await aSyncTask(db)).id
  const at = (hour: number) => new Date(Date.UTC(2026, 10, 20, hour))
  const before = await aRun(db, await task(), {
    queued_at: at(1),
    started_at: at(1),
    finished_at: at(2),
    state: 'success',
  })
  const into = await aRun(db, await task(), {
    queued_at: at(1),
    started_at: at(3),
    finished_at: at(5),
    state: 'failed',
  })
  const through = await aRun(db, await task(), {
    queued_at: at(2),
    started_at: at(3),
    finished_at: at(23),
    state: 'success',
  })
  const live = await aRun(db, await task(), { queued_at: at(2), started_at: at(3), state: 'running' })
  const inside = await aRun(db, await task(), {
    queued_at: at(6),
    started_at: at(7),
    finished_at: at(7),
    state: 'warning',
    is_preview: true,
  })
  const after = await aRun(db, await task(), { queued_at: at(8), state: 'queued' })
  const query = new URLSearchParams({ from: at(4).toISOString(), to: at(8).toISOString() })
  const reply = await ada.request('GET', `/api/runs/timeline?${query}`)
  const { runs, types, is_cut } = allRuns.timeline.reply.parse(reply.json())
  expect(runs.map(({ id }) => id)).toEqual([inside.id, live.id, through.id, into.id])
  expect(runs.map(({ id }) => id)).not.toEqual(expect.arrayContaining([before.id, after.id]))
  expect(runs.filter(({ is_preview }) => is_preview).map(({ id }) => id)).toEqual([inside.id])
  expect(is_cut).toBe(false)
  expect(types.find(({ id }) => id === second.id)?.depends_on).toEqual([first.id])
  for (const range of [
    { from: at(8).toISOString(), to: at(4).toISOString() },
    { from: '2020-01-01T00:00:00.000Z', to: at(4).toISOString() },
  ])
    expect((await ada.request('GET', `/api/runs/timeline?${new URLSearchParams(range)}`)).statusCode).toBe(
      400,
    )
})

test('requests per minute include stored totals and the latest log entries', async () => {
  const { db } = app
  const project = app.config.google.clientId
  const minute = new Date(Math.floor(Date.now() / 60_000) * 60_000 - 5 * 60_000)
  const later = (n: number) => new Date(minute.getTime() + n * 60_000)
  const kept = { project, minute, kind: 'read' as const }
  await db
    .insertInto('quota_minutes')
    .values([
      { ...kept, account: 'ada', requests: 7 },
      { ...kept, account: 'bob', requests: 2 },
      { ...kept, account: 'ada', kind: 'write', requests: 1 },
      { ...kept, account: 'eve', project: 'another', requests: 50 },
    ])
    .execute()
  await db
    .insertInto('quota_log')
    .values([0, 1, 1].map((n) => ({ project, account: 'ada', kind: 'read', started_at: later(n) })))
    .execute()
  const read = async (bucket_minutes: number) => {
    const query = new URLSearchParams({ from: minute.toISOString(), bucket_minutes: String(bucket_minutes) })
    return allRuns.quota.reply.parse((await ada.request('GET', `/api/runs/quota?${query}`)).json())
  }
  const by_minute = await read(1)
  expect(by_minute.buckets).toEqual([
    { at: minute.toISOString(), reads: 10, writes: 1 },
    { at: later(1).toISOString(), reads: 2, writes: 0 },
  ])
  expect(by_minute.accounts).toEqual([
    { account: 'ada', requests: 11, busiest: 8 },
    { account: 'bob', requests: 2, busiest: 2 },
  ])
  // A bucket of several minutes contains its busiest minute, because the limit is per minute.
  expect((await read(60)).buckets).toEqual([{ at: minute.toISOString(), reads: 10, writes: 1 }])
})
