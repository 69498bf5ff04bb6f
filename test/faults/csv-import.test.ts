import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { csvJobs } from '../../src/contract/csv-jobs/calls.ts'
import { csvJobServerMessages } from '../../src/contract/csv-jobs/server-messages.ts'

import { antiForgeryToken } from '../../src/server/platform/auth/anti-forgery.ts'
import { deriveKeys } from '../../src/server/platform/auth/keys.ts'
import { openSession } from '../../src/server/platform/auth/sessions.ts'
import { freePort } from '../../src/server/platform/free-port.ts'
import { sessionCookie } from '../../src/server/platform/http/guard.ts'
import { testDatabase } from '../fixtures/database.ts'
import { aType, aUser } from '../fixtures/factories.ts'
import { startNode, until } from '../processes/processes.ts'

const SECRET_KEY = 'a key of the tests, long enough for the rule'
const HEADER = 'task_type,name,source_ss_id,target_ss_id,target_sheet_name\n'

async function startProcess(url: string, roles: string) {
  const dataDir = await mkdtemp(join(tmpdir(), 'rowferry-import-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  const port = await freePort()
  const process = startNode(['src/server/main.ts'], {
    DATA_DIR: dataDir,
    DATABASE_URL: url,
    ROLES: roles,
    PORT: String(port),
    SECRET_KEY,
  })
  await process.printed(/"Started"/, 60)
  return { process, root: `http://127.0.0.1:${port}` }
}

/** A database with a type, and a user who imports tasks of this type. */
async function world(count: number) {
  const database = await testDatabase()
  const { db, url } = database
  const type = await aType(db)
  const session = await openSession(db, (await aUser(db)).id)
  const token = antiForgeryToken(deriveKeys(SECRET_KEY), session)
  const headers = { cookie: `${sessionCookie(false)}=${session}`, 'x-xsrf-token': token }
  const rows = Array.from(
    { length: count },
    (_, n) => `${type.name},Task ${n},source-of-task-${n},target-of-task-${n},Data\n`,
  )
  const send = (root: string) => {
    const body = new FormData()
    body.set('file', new File([HEADER, ...rows], 'tasks.csv', { type: 'text/csv' }))
    return fetch(`${root}/api/sync_tasks/import`, { method: 'POST', headers, body })
  }
  const newestJob = async (root: string) => {
    const reply = await fetch(`${root}/csv_jobs/api/csv_import_export_jobs?limit=1`, { headers })
    return csvJobs.list.reply.parse(await reply.json())[0]
  }
  const names = async () =>
    (await db.selectFrom('tasks').select('name').orderBy('id').execute()).map(({ name }) => name)
  const attempts = async () =>
    (await db.selectFrom('csv_jobs').select('attempts').executeTakeFirst())?.attempts ?? 0
  return { url, send, newestJob, names, attempts, all: rows.map((_, n) => `Task ${n}`) }
}

/** Whether a reply is the one that a caller receives after a minute if the job is not finished. */
const goesOn = (answer: { status?: unknown }) => answer.status === 'running'

test.each([0, 1_000, 10_000])(
  'if a worker is killed after %d rows of an import, another one does all of it once, and the waiting caller does not notice',
  async (moment) => {
    // Progress is reported once per second, so the import must take longer than that.
    const { url, send, newestJob, names, attempts, all } = await world(20_000 + 6 * moment)
    const api = await startProcess(url, 'api')
    const first = await startProcess(url, 'worker')
    const reply = send(api.root)
    await until('the moment has come', async () => {
      const job = await newestJob(api.root)
      return job?.status === 'running' && job.processed_count >= moment
    })
    await first.process.end('SIGKILL')
    expect(await names()).toEqual([])
    const second = await startProcess(url, 'worker')
    const answer = await (await reply).json()
    await until('it has ended', async () => (await newestJob(api.root))?.status === 'completed')
    if (!goesOn(answer)) expect(answer).toMatchObject({ status: 'success', created: all.length, failed: 0 })
    expect(await names()).toEqual(all)
    expect(await attempts()).toBe(2)
    await Promise.all([api.process.end(), second.process.end()])
  },
)

test('an import succeeds if the api process is killed while a caller waits for it', async () => {
  const { url, send, newestJob, names, all } = await world(20_000)
  const worker = await startProcess(url, 'worker')
  const first = await startProcess(url, 'api')
  const cut = send(first.root).catch((error: unknown) => error)
  await until('rows were read', async () => ((await newestJob(first.root))?.processed_count ?? 0) >= 1000)
  await first.process.end('SIGKILL')
  expect(await cut).toBeInstanceOf(TypeError)
  const second = await startProcess(url, 'api')
  await until('it has ended', async () => (await newestJob(second.root))?.status === 'completed')
  expect(await names()).toEqual(all)
  await Promise.all([worker.process.end(), second.process.end()])
})

test('a file during which three workers died is given up, and nothing of it is stored', async () => {
  const { url, send, newestJob, names, attempts, all } = await world(20_000)
  const api = await startProcess(url, 'api')
  const reply = send(api.root)
  for (const death of [1, 2, 3]) {
    const worker = await startProcess(url, 'worker')
    await until('it has begun', async () => (await attempts()) === death)
    await worker.process.end('SIGKILL')
  }
  const last = await startProcess(url, 'worker')
  const reply_status = (await reply).status
  const answer = await (await reply).json()
  await until('it is given up', async () => (await newestJob(api.root))?.status === 'failed')
  if (!goesOn(answer))
    expect([reply_status, answer]).toMatchObject([500, { message: csvJobServerMessages.csv_interrupted }])
  expect(await newestJob(api.root)).toMatchObject({
    status: 'failed',
    error: csvJobServerMessages.csv_interrupted,
  })
  expect(await names()).toEqual([])
  await send(api.root)
  await until('another one has ended', async () => (await newestJob(api.root))?.status === 'completed')
  expect(await names()).toEqual(all)
  await Promise.all([api.process.end(), last.process.end()])
})
