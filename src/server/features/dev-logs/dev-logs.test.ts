import { appendFile, mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { devLogs } from '../../../contract/dev-logs/calls.ts'
import { devLogMessages } from '../../../contract/dev-logs/client-messages.ts'

import { createLog } from '../../platform/log.ts'

let site: TestApp
let ada: SignedIn
let folder: string

beforeAll(async () => {
  site = await testApp()
  ada = await site.signIn()
  folder = join(site.config.dataDir, 'logs')
})

beforeEach(async () => {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder)
  await writeFile(join(site.config.dataDir, 'secret-key'), 'top secret')
})

const write = (name: string, text: string) => writeFile(join(folder, name), text)
const line = (level: string, msg: string, fields: object = {}) =>
  `${JSON.stringify({ level, time: '2026-01-31T04:00:00.000Z', role: 'api', pid: 7, ...fields, msg })}\n`

const files = async () =>
  devLogs.files.reply.parse((await ada.request('GET', '/dev/logs/files')).json()).files
const read = async (query = '') =>
  devLogs.read.reply.parse((await ada.request('GET', `/dev/logs${query}`)).json())

test('files are listed by role; the current file of a process has the role as its id', async () => {
  await write('api.3.log', line('info', 'old'))
  await write('api.4.log', line('info', 'new'))
  await write('worker.1.log', '')
  await write('notes.txt', 'none of ours')
  await mkdir(join(folder, 'scheduler.1.log'))
  expect((await files()).map(({ id, current, bytes }) => ({ id, current, bytes: bytes > 0 }))).toEqual([
    { id: 'api', current: true, bytes: true },
    { id: 'api-3', current: false, bytes: true },
    { id: 'worker', current: true, bytes: false },
  ])
})

test('there are no files before the first log line', async () => {
  await rm(folder, { recursive: true })
  expect(await files()).toEqual([])
})

test('without a file named, the default file `api` is read, with level, time, text and the other fields of each line', async () => {
  await write('api.1.log', `${line('warn', 'slow', { ms: 12 })}no line of ours\n${line('error', 'broken')}`)
  const { file, lines, truncated } = await read()
  expect({ file, truncated }).toEqual({ file: 'api', truncated: false })
  expect(lines).toEqual([
    { level: 'warn', time: '2026-01-31T04:00:00.000Z', message: 'slow', details: '{"ms":12}' },
    { level: 'text', time: null, message: 'no line of ours', details: '' },
    { level: 'error', time: '2026-01-31T04:00:00.000Z', message: 'broken', details: '' },
  ])
})

test('only the end of a large file is read, from the first whole line', async () => {
  await write('api.1.log', line('info', 'x'.repeat(1000)).repeat(5_000) + line('info', 'the last'))
  const { lines, truncated } = await read('?file=api')
  expect(truncated).toBe(true)
  expect(lines.length).toBeLessThan(600)
  expect(lines.every(({ level }) => level === 'info')).toBe(true)
  expect(lines.at(-1)?.message).toBe('the last')
})

test('of many short lines the last 2,000 are read', async () => {
  await write('api.1.log', 'short\n'.repeat(2_500))
  expect((await read()).lines).toHaveLength(2_000)
})

const NOWHERE = [
  '../secret-key',
  '..%2fsecret-key',
  '%2e%2e/secret-key',
  '../../etc/passwd',
  '/etc/passwd',
  'api%00',
  '%00',
  'api.1.log',
  'api-7',
  'API',
  '',
  'worker',
  'x'.repeat(5_000),
]

test.each(NOWHERE)('the file %j is not found, neither to read nor to clear', async (id) => {
  await write('api.1.log', line('info', 'kept'))
  await symlink(join(site.config.dataDir, 'secret-key'), join(folder, 'worker.1.log'))
  for (const method of ['GET', 'DELETE'] as const) {
    const reply = await ada.request(method, `/dev/logs?file=${id}`)
    expect(reply.statusCode).toBe(404)
    expect(reply.json().message).toBe(devLogMessages.log_file_not_found)
    expect(reply.body).not.toContain('top secret')
  }
  expect((await read()).lines).toHaveLength(1)
})

test('a cleared file is empty, its process continues to write to it, and the audit log has the user', async () => {
  const log = await createLog({ role: 'api', dataDir: site.config.dataDir, level: 'info' })
  log.info('before')
  expect((await read()).lines.map(({ message }) => message)).toEqual(['before'])
  expect((await ada.request('DELETE', '/dev/logs?file=api')).statusCode).toBe(204)
  expect((await read()).lines).toEqual([])
  log.info('after')
  expect((await read()).lines.map(({ message }) => message)).toEqual(['after'])
  const entry = await site.db
    .selectFrom('audit_log')
    .select(['actor', 'action', 'details'])
    .where('object_type', '=', 'log_file')
    .orderBy('id', 'desc')
    .executeTakeFirst()
  expect(entry).toEqual({ actor: 'ada@example.com', action: 'clear', details: { file: 'api' } })
})

test('a line that grows while it is read causes no failure', async () => {
  await write('api.1.log', line('info', 'whole'))
  await appendFile(join(folder, 'api.1.log'), '{"level":"info","ti')
  expect((await read()).lines.map(({ level }) => level)).toEqual(['info', 'text'])
})

test('logs require a session, and an administrator if ADMIN_EMAILS is set', async () => {
  for (const url of ['/dev/logs/files', '/dev/logs'])
    expect((await site.app.inject({ url })).statusCode).toBe(401)
  const closed = await testApp({ env: { ADMIN_EMAILS: 'grace@example.com' }, database: site.database })
  const [outsider, admin] = [await closed.signIn('ada@example.com'), await closed.signIn('grace@example.com')]
  for (const url of ['/dev/logs/files', '/dev/logs'])
    expect((await outsider.request('GET', url)).statusCode).toBe(403)
  expect((await outsider.request('DELETE', '/dev/logs')).statusCode).toBe(403)
  expect((await admin.request('GET', '/dev/logs/files')).statusCode).toBe(200)
})
