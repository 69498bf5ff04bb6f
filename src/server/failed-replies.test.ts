import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { type SignedIn, type TestApp, testApp } from '../../test/fixtures/app.ts'
import { declaredCalls, titleOf } from '../../test/fixtures/declared-calls.ts'
import { done, handlerOf, startEngine } from '../../test/fixtures/engine.ts'
import { writingRequest } from '../../test/fixtures/writing-calls.ts'
import type { Call } from '../contract/calls.ts'
import { isCommittedWithReply } from './platform/http/commit-with-reply.ts'

/** Values that change without a call: heartbeats, a session's last activity, refreshed access tokens. */
const ALIVE = ['sessions', 'schedule_clock', 'workers', 'grants']

let site: TestApp
let ada: SignedIn
/** The same calls, with replies that always fail. */
let broken: TestApp
let calls: Call[]
/** What they answer with. */
let replies: Call['reply'][]

beforeAll(async () => {
  ;({ site, ada, calls } = await declaredCalls())
  const handlers = (['sync', 'source', 'compiler'] as const).map((category) =>
    handlerOf(async () => done, { category }),
  )
  // A worker has been there once, so that runs are queued.
  await (await startEngine(site.database, handlers)).stop()
  calls = calls.filter(({ method }) => method !== 'GET')
  await ada.request('POST', '/api/allowed_hosts', { host: 'api.example.com' })
  replies = calls.map(({ reply }) => reply)
  for (const call of calls) Object.assign(call, { reply: z.never() })
  broken = await testApp({ database: site.database, handlers })
})

// Later test files of this process use the same declarations.
afterAll(() => {
  for (const [index, call] of calls.entries()) Object.assign(call, { reply: replies[index] })
})

/** The whole database, one hash per table. */
async function stored(): Promise<Map<string, string>> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`.execute(site.db)
  const hashes = new Map<string, string>()
  for (const { name } of tables.filter((table) => !ALIVE.includes(table.name))) {
    const { rows } = await sql<{ hash: string }>`
      select coalesce(md5(string_agg(r.t, '|' order by r.t)), '') as hash
      from (select t::text as t from ${sql.table(name)} t) r`.execute(site.db)
    hashes.set(name, rows[0]?.hash ?? '')
  }
  return hashes
}

const changedBetween = (before: Map<string, string>, after: Map<string, string>) =>
  [...after].flatMap(([name, hash]) => (before.get(name) === hash ? [] : [name]))

test('a call whose reply fails has stored nothing, for every call', { timeout: 240_000 }, async () => {
  const ours = calls.filter(isCommittedWithReply)
  expect(ours.length).toBeGreaterThan(80)
  const proven: string[] = []
  for (const call of ours) {
    const { request, is_known } = await writingRequest(call, { site, ada })
    const before = await stored()
    const failed = await broken.app.inject(request)
    expect.soft(changedBetween(before, await stored()), titleOf(call)).toEqual([])
    if (!is_known) continue
    expect
      .soft([titleOf(call), failed.statusCode, failed.statusCode === 500 ? '' : failed.body])
      .toEqual([titleOf(call), 500, ''])
    // The request does store something.
    const well = await site.app.inject(request)
    expect.soft([titleOf(call), well.statusCode < 300, well.body]).toEqual([titleOf(call), true, well.body])
    expect.soft(changedBetween(before, await stored()), titleOf(call)).not.toEqual([])
    proven.push(titleOf(call))
  }
  expect(proven.length).toBeGreaterThan(70)
})

test('only these calls do not commit with their reply: they wait for a worker or an external service, or only read', () => {
  expect(
    calls
      .filter((call) => !isCommittedWithReply(call))
      .map(titleOf)
      .toSorted(),
  ).toEqual([
    'DELETE /api/source_tasks/delete_all',
    'DELETE /api/sync_tasks/delete_all',
    'POST /api/compiler/compile',
    'POST /api/compiler/configs/:id/overrides/import_csv',
    'POST /api/compiler/configs/import_csv',
    'POST /api/connections/test',
    'POST /api/source_task_types/import_csv',
    'POST /api/source_tasks/:id/file',
    'POST /api/source_tasks/export_csv',
    'POST /api/source_tasks/import_csv',
    'POST /api/sync_task_types/import_csv',
    'POST /api/sync_tasks/export',
    'POST /api/sync_tasks/import',
    'POST /api/uploads',
    'POST /api/users/:id/disable',
    'POST /api/users/:id/disconnect_google',
    'POST /api/webhooks/:id/test',
  ])
})
