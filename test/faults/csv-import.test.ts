import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { csvJobs } from '../../src/contract/csv-jobs.ts'
import { messages } from '../../src/contract/messages.ts'
import { antiForgeryToken } from '../../src/server/platform/auth/anti-forgery.ts'
import { deriveKeys } from '../../src/server/platform/auth/keys.ts'
import { openSession } from '../../src/server/platform/auth/sessions.ts'
import { freePort } from '../../src/server/platform/free-port.ts'
import { sessionCookie } from '../../src/server/platform/http/guard.ts'
import { testDatabase } from '../database.ts'
import { aType, aUser } from '../factories.ts'
import { startNode, until } from '../processes.ts'

const SECRET_KEY = 'a key of the tests, long enough for the rule'
const HEADER = 'task_type,name,source_ss_id,target_ss_id,target_sheet_name\n'

async function apiProcess(url: string) {
  const dataDir = await mkdtemp(join(tmpdir(), 'rowferry-import-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  const port = await freePort()
  const process = startNode(['src/server/main.ts'], {
    DATA_DIR: dataDir,
    DATABASE_URL: url,
    ROLES: 'api',
    PORT: String(port),
    SECRET_KEY,
  })
  await process.printed(/"Started"/, 60)
  return { process, root: `http://127.0.0.1:${port}` }
}

test('an api process killed in the middle of an import leaves nothing of it, and the job says so', {
  timeout: 120_000,
}, async () => {
  const database = await testDatabase()
  const { db } = database
  const type = await aType(db)
  const session = await openSession(db, (await aUser(db)).id)
  const token = antiForgeryToken(deriveKeys(SECRET_KEY), session)
  const headers = { cookie: `${sessionCookie(false)}=${session}`, 'x-xsrf-token': token }
  const rows = Array.from(
    { length: 20_000 },
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
  const tasks = () => db.selectFrom('tasks').select('id').execute()

  const first = await apiProcess(database.url)
  const cut = send(first.root).catch((error: unknown) => error)
  await until('rows were read', async () => ((await newestJob(first.root))?.processed_count ?? 0) >= 1000)
  await first.process.end('SIGKILL')
  expect(await cut).toBeInstanceOf(TypeError)

  const second = await apiProcess(database.url)
  await until('the job is known to be lost', async () => (await newestJob(second.root))?.status === 'failed')
  expect(await newestJob(second.root)).toMatchObject({ error: messages.import_interrupted, summary: {} })
  expect(await tasks()).toEqual([])

  const reply = await send(second.root)
  expect(await reply.json()).toMatchObject({ status: 'success', created: rows.length })
  expect(await tasks()).toHaveLength(rows.length)
  await second.process.end()
})
