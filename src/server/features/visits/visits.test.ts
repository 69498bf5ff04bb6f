import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { aRun, aSourceTask, aSyncTask } from '../../../../test/fixtures/factories.ts'
import { aToken, withToken } from '../../../../test/fixtures/tokens.ts'
import { visits } from '../../../contract/visits/calls.ts'

let app: TestApp
let ada: SignedIn
let bob: SignedIn

beforeEach(async () => {
  app = await testApp()
  ada = await app.signIn('ada@example.com')
  bob = await app.signIn('bob@example.com')
})

const record = async (person = ada) =>
  visits.record.reply.parse((await person.request('POST', '/api/visits')).json())
const news = async (since?: string, person = ada) => {
  const reply = await person.request('GET', `/api/visits/news${since ? `?since=${since}` : ''}`)
  expect(reply.statusCode, reply.body).toBe(200)
  return visits.news.reply.parse(reply.json())
}
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000)
/** Moves the visit of every user into the past. */
const passes = (minutes: number) =>
  sql`update visits set started_at = started_at - ${minutes} * interval '1 minute',
    last_active_at = last_active_at - ${minutes} * interval '1 minute'`.execute(app.db)
const ended = (minutes: number) => ({ finished_at: ago(minutes) })

test('a visit lasts until 30 minutes without activity; the next one starts at the end of it', async () => {
  expect((await record()).previous_ended_at).toBeNull()
  expect(await news()).toBeNull()
  const first = await record()
  await passes(29)
  expect((await record()).previous_ended_at).toBeNull()
  await passes(31)
  const [second, same] = await Promise.all([record(), record()])
  expect(second).toEqual(same)
  expect(second.previous_ended_at).not.toBeNull()
  expect(Date.parse(second.started_at)).toBeGreaterThan(Date.parse(first.started_at))
  expect((await news())?.since).toBe(second.previous_ended_at)
  expect((await record(bob)).previous_ended_at).toBeNull()
})

test('the news names tasks that began to fail by cause, and those that recovered', async () => {
  const { db } = app
  const old = await aSyncTask(db, { name: 'Old failure' })
  await aRun(db, old.id, { state: 'failed', error: 'Gone.', ...ended(90) })
  await aRun(db, old.id, { state: 'failed', error: 'Gone.', ...ended(10) })
  for (const name of ['A', 'B', 'C', 'D']) {
    const task = await aSyncTask(db, { name })
    await aRun(db, task.id, { state: 'success', ...ended(90) })
    await aRun(db, task.id, { state: 'failed', error: `Row ${name.length} is bad.`, ...ended(20) })
  }
  const source = await aSourceTask(db, { name: 'New failure' })
  await aRun(db, source.id, { category: 'source', state: 'error', error: 'Other.', ...ended(5) })
  const back = await aSyncTask(db, { name: 'Back' })
  await aRun(db, back.id, { state: 'failed', error: 'Gone.', ...ended(70) })
  await aRun(db, back.id, { state: 'success', ...ended(30) })
  const between = await aSyncTask(db, { name: 'Between' })
  await aRun(db, between.id, { state: 'failed', error: 'Gone.', ...ended(40) })
  await aRun(db, between.id, { state: 'success', ...ended(25) })
  const well = await aSyncTask(db, { name: 'Well' })
  await aRun(db, well.id, { state: 'success', ...ended(5) })

  const { failed, recovered } = (await news(ago(60).toISOString())) ?? {}
  expect(failed).toMatchObject({
    count: 5,
    causes: [
      { count: 4, reason: 'Row 1 is bad.' },
      { count: 1, reason: 'Other.', tasks: [{ name: 'New failure', category: 'source' }] },
    ],
  })
  expect(failed?.causes[0]?.tasks).toHaveLength(3)
  expect(recovered).toMatchObject({ count: 2, tasks: [{ name: 'Between' }, { name: 'Back' }] })
})

test('the news has changes by others and by tokens, grouped; what the user did is left out', async () => {
  const since = ago(1).toISOString()
  const tasks = await Promise.all(Array.from({ length: 12 }, () => aSyncTask(app.db)))
  const ids = tasks.map(({ id }) => id)
  await bob.request('POST', '/api/tasks/bulk', { action: 'deactivate', ids })
  await bob.request('POST', '/api/tasks/bulk', { action: 'activate', ids: ids.slice(0, 2) })
  await ada.request('POST', '/api/tasks/bulk', { action: 'deactivate', ids: ids.slice(0, 1) })
  const program = withToken(app.app, await aToken(ada, 'edit'))
  await program('POST', '/api/tasks/bulk', { action: 'delete', ids: ids.slice(11), at_once: true })
  const changes = (await news(since))?.changes.filter(({ object_type }) => object_type === 'sync_task')
  expect(changes?.map(({ by, kind, count }) => [by.email, kind, count])).toEqual([
    ['bob@example.com', 'deactivated', 12],
    ['bob@example.com', 'activated', 2],
    ['ada@example.com', 'deleted', 1],
  ])
  expect(changes?.[0]?.names).toHaveLength(3)
  expect(changes?.[2]?.names).toEqual([tasks[11]?.name])
})

test('nothing happened: no failures, recoveries or changes', async () => {
  expect(await news(ago(0).toISOString())).toMatchObject({
    failed: { count: 0, causes: [] },
    recovered: { count: 0, tasks: [] },
    changes: [],
  })
})

test('a token does not record visits', async () => {
  const send = withToken(app.app, await aToken(ada, 'edit'))
  expect((await send('POST', '/api/visits')).statusCode).toBe(403)
})
