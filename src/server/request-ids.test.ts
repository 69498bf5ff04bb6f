import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test, vi } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../test/fixtures/app.ts'
import { handlerOf, runOf, startEngine } from '../../test/fixtures/engine.ts'
import { aSyncTask } from '../../test/fixtures/factories.ts'
import { testFolder } from '../../test/fixtures/folders.ts'
import { createLog } from './platform/log.ts'

const handler = handlerOf(() => Promise.reject(new TypeError('Broken')))
let site: TestApp
let ada: SignedIn
let root: string

beforeAll(async () => {
  site = await testApp({ handlers: [handler] })
  ada = await site.signIn()
  root = await site.app.listen({ host: '127.0.0.1', port: 0 })
})

// Long enough to arrive in several reads of the socket.
const body = (fields: object) => ' '.repeat(300_000) + JSON.stringify(fields)

/** Sends a request through a socket, as a browser does; returns the request's id. */
async function send(method: string, path: string, fields: object): Promise<string | null> {
  const reply = await fetch(root + path, {
    method,
    headers: { ...ada.headers, 'content-type': 'application/json' },
    body: body(fields),
  })
  expect(reply.status).toBe(200)
  await reply.text()
  return reply.headers.get('x-request-id')
}

const audited = (action: string) =>
  site.db.selectFrom('audit_log').select('request_id').where('action', '=', action).executeTakeFirst()

test('changes of a request are audited under its id, which the reply contains', async () => {
  const task = await aSyncTask(site.db)
  const request_id = await send('PUT', `/api/sync_tasks/${task.id}`, { chunk_size: 77 })
  expect(request_id).toMatch(/^[0-9a-f-]{36}$/)
  expect(await audited('update')).toEqual({ request_id })
})

test('each log line about a run has the ids of the run, its task and its request, in every process', async () => {
  const task = await aSyncTask(site.db)
  const request_id = await send('POST', `/api/sync_tasks/${task.id}/execute`, {})
  const dataDir = await testFolder()
  const printed = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const log = await createLog({ role: 'worker', dataDir, level: 'info' })
  const engine = await startEngine(site.database, [handler], { log })
  const { id: run_id } = await runOf(site.db, task.id)
  await engine.stop()
  printed.mockRestore()
  const text = await readFile(join(dataDir, 'logs/worker.1.log'), 'utf8')
  const lines = text.split('\n').flatMap((line) => (line === '' ? [] : JSON.parse(line)))
  const about = { run_id, task_id: task.id, request_id }
  expect(lines).toEqual([
    expect.objectContaining({ ...about, msg: 'A handler threw an unexpected error' }),
    expect.objectContaining({ ...about, msg: 'run', category: 'sync', attempt: 1, ended: 'failed' }),
  ])
})
