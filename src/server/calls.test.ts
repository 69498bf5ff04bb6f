import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../test/fixtures/app.ts'
import { type Row, rows, type Subjects } from '../../test/fixtures/call-rows.ts'
import { done, handlerOf, startEngine } from '../../test/fixtures/engine.ts'
import { aConfig, aCopy, aSourceTask, aSyncTask, aType } from '../../test/fixtures/factories.ts'
import { form, formType } from '../../test/fixtures/form.ts'

let site: TestApp
let ada: SignedIn
let source: Pick<Subjects, 'source_task' | 'source_type'>
let config: number

beforeAll(async () => {
  const handlers = [handlerOf(async () => done), handlerOf(async () => done, { category: 'source' })]
  site = await testApp({ handlers })
  // A worker has been there once, so runs are queued; they wait for the next worker.
  await (await startEngine(site.database, handlers)).stop()
  ada = await site.signIn()
  const { db } = site
  const { id: source_type } = await aType(db, {
    name: 'Prices',
    category: 'source',
    cron_schedule: '0 2 * * *',
  })
  const { id: source_task } = await aSourceTask(db, { task_type_id: source_type })
  await db
    .insertInto('log_entries')
    .values({ task_id: source_task, level: 'INFO', message: 'Queued' })
    .execute()
  await aCopy(db, source_task, ['SKU', 'Price'], [['007', 2]])
  source = { source_type, source_task }
  config = (await aConfig(db, { name: 'Shop' })).id
  await db
    .insertInto('sync_presets')
    .values({ name: 'Without costs', excluded_fields: ['Cost'] })
    .execute()
  const folder = join(site.config.dataDir, 'logs')
  await mkdir(folder)
  await writeFile(
    join(folder, 'api.1.log'),
    `${JSON.stringify({ level: 'info', time: '2026-01-31T04:00:00.000Z', msg: 'Ready' })}\n`,
  )
})

/** A sync task with a log and copied data, a second one of its type, and shared rows. */
async function subjects(): Promise<Subjects> {
  const { db } = site
  const type = await aType(db)
  const { id } = await aSyncTask(db, { task_type_id: type.id })
  await aSyncTask(db, { task_type_id: type.id })
  await db.insertInto('log_entries').values({ task_id: id, level: 'INFO', message: 'Queued' }).execute()
  const copied = [
    ['007', 2],
    ['008', 1],
  ]
  await aCopy(db, id, ['SKU', 'Price'], copied)
  return { task: id, type: type.id, config, ...source }
}

const upload = (content: string) => ({
  headers: { ...ada.headers, 'content-type': formType },
  payload: form({ content }),
})

async function send({ method, path, id = 'task', query = {}, body, file }: Row) {
  const of = await subjects()
  const whole = (await ada.request('GET', `/api/sync_tasks/${of.task}`)).json()
  const url = path.replace('{id}', String(of[id]))
  const payload = body && { payload: body(of, whole) }
  const content = file === undefined ? { headers: ada.headers, ...payload } : upload(file)
  return site.app.inject({ method, url, query, ...content })
}

const anywhere = ({ path }: Row) => path.replace('{id}', '1')

test('every call except sign-in needs a session, and every changing call the anti-forgery header', async () => {
  for (const row of rows) {
    const { method, query = {} } = row
    const stranger = await site.app.inject({ method, url: anywhere(row), query })
    expect(stranger.statusCode === 401, `${method} ${row.path}`).toBe(row.public !== true)
    if (method === 'GET') continue
    const { cookie } = ada.headers
    const forged = await site.app.inject({ method, url: anywhere(row), query, headers: { cookie } })
    expect(forged.statusCode, `${method} ${row.path}`).toBe(403)
  }
})

const titleOf = ({ method, path, query = {}, body }: Row) =>
  `${method} ${path} ${Object.keys(query).join(', ')}${body ? 'with its body' : ''}`.trim()

describe('each reply matches its declared schema', () => {
  test.each(rows.map((row) => [titleOf(row), row] as const))('%s', async (_, row) => {
    const reply = await send(row)
    expect(reply.statusCode, reply.body).toBe(row.status ?? 200)
    if (row.reads === undefined) return
    const json = String(reply.headers['content-type']).startsWith('application/json')
    expect([json ? reply.json() : reply.body]).toMatchObject([row.reads])
  })
})
