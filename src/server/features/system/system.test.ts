import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { done, handlerOf } from '../../../../test/fixtures/engine.ts'
import type { Outage } from '../../../contract/system/calls.ts'

let app: TestApp
let ada: SignedIn
let supervised: Outage[] = []

beforeAll(async () => {
  app = await testApp({ supervised: () => supervised })
  ada = await app.signIn()
})

const outages = async () => (await ada.request('GET', '/api/system_status')).json().outages
const silent = (part: string) => ({ part, none_left: true, reason: null, next_start: null })
const schedulerSeen = (ago: string) =>
  sql`update schedule_clock set looked_at = now() - ${ago}::interval`.execute(app.db)
const workerSeen = (ago: string, categories = '{sync,source,compiler}') =>
  sql`insert into workers (id, name, categories, seen_at)
    values ('00000000-0000-0000-0000-000000000001', 'host 1', ${categories}::text[], now() - ${ago}::interval)
    on conflict (id) do update set seen_at = excluded.seen_at, categories = excluded.categories`.execute(
    app.db,
  )

it('needs a session', async () => {
  expect((await app.app.inject('/api/system_status')).statusCode).toBe(401)
})

it('reports that no worker and no scheduler is alive, according to the database', async () => {
  await schedulerSeen('2 minutes')
  await workerSeen('2 minutes')
  expect(await outages()).toEqual([silent('worker'), silent('scheduler')])
  await schedulerSeen('1 second')
  await workerSeen('1 second')
  expect(await outages()).toEqual([])
})

it('reports processes that the supervisor cannot keep running, and whether others do their work', async () => {
  const outage = { reason: 'exit code 1', next_start: '2026-01-01T00:00:00.000Z', none_left: true }
  supervised = [
    { part: 'worker', ...outage },
    { part: 'sandbox', ...outage },
  ]
  await workerSeen('1 second')
  expect(await outages()).toEqual([
    { part: 'worker', ...outage, none_left: false },
    { part: 'sandbox', ...outage },
  ])
  await workerSeen('2 minutes')
  expect(await outages()).toEqual(supervised)
})

it('reports that no live worker runs one of the categories', async () => {
  supervised = []
  await schedulerSeen('1 second')
  await workerSeen('1 second', '{sync}')
  const modest = await testApp({
    database: app.database,
    supervised: () => [],
    handlers: [handlerOf(async () => done)],
  })
  const eve = await modest.signIn()
  expect((await eve.request('GET', '/api/system_status')).json().outages).toEqual([])
  expect(await outages()).toEqual([silent('worker')])
})

it('reports folders of files that a worker, or this process, cannot open', async () => {
  const folders = async () => (await ada.request('GET', '/api/system_status')).json().missing_folders
  await workerSeen('1 second')
  await sql`update workers set mounts = '{Out}', missing_mounts = '{Suppliers}'`.execute(app.db)
  const missing = await folders()
  expect(missing).toContainEqual({
    name: 'Suppliers',
    missing_on: ['the worker host 1', expect.stringMatching(/^the api on /)],
    none_left: true,
    message: expect.stringMatching(
      /^The folder ‘Suppliers’ cannot be opened by the worker host 1, the api on .+\. Runs that need it wait/,
    ),
  })
  expect(missing).toContainEqual({
    name: 'Out',
    missing_on: [expect.stringMatching(/^the api on /)],
    none_left: false,
    message: expect.stringContaining('Other workers execute the runs that need it.'),
  })
  await sql`insert into workers (id, name, categories, mounts)
    values ('00000000-0000-0000-0000-000000000002', 'host 2', '{source}', '{Out,Suppliers}')`.execute(app.db)
  expect(await folders()).toContainEqual({
    name: 'Suppliers',
    missing_on: ['the worker host 1', expect.stringMatching(/^the api on /)],
    none_left: false,
    message: expect.stringContaining('Other workers execute the runs that need it.'),
  })
})
