import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { mailServer } from '../../test/fakes/mail-server.ts'
import { OriginServer } from '../../test/fakes/origin-server.ts'
import { settingsOf } from '../../test/fixtures/database-origins.ts'
import { endOfIngest } from '../../test/fixtures/ingest-end.ts'
import { signIn } from '../../test/fixtures/person.ts'
import { Fleet } from '../../test/processes/fleet.ts'
import { until } from '../../test/processes/processes.ts'

const HEADER = 'canary-header-5f0d1c'
const PARAM = 'canary-param-77ab90'
const PASSWORD = 'canary-password-e2c4'
const SECRETS = [HEADER, PARAM, PASSWORD]
/** Each secret in plain and in the usual encodings. */
const FORMS = SECRETS.flatMap((secret) => [
  secret,
  Buffer.from(secret).toString('base64').slice(0, -4),
  Buffer.from(secret).toString('hex'),
])
const Id = z.object({ id: z.int() })

test('secrets of connections appear in no reply, log, export, error, mail, process argument or dump', {
  timeout: 240_000,
}, async () => {
  const mails = await mailServer()
  const origin = await OriginServer.start()
  onTestFinished(() => origin.close())
  const fleet = await Fleet.open({
    SMTP_URL: mails.url,
    MAIL_FROM: 'Rowferry <rowferry@example.com>',
    ALERT_EMAILS: 'ops@example.com',
    LOG_LEVEL: 'debug',
  })
  const members = [await fleet.start('api,scheduler'), await fleet.start('worker')]
  onTestFinished(async () => {
    for (const member of members) await member.end()
    await fleet.close()
  })
  const [{ root } = { root: '' }] = members
  const { send, headers } = await signIn(root, 'ada@example.com')

  // An origin that repeats what it was sent wherever possible.
  const sent: unknown[] = []
  origin.on('/rows', (asked) => {
    sent.push(asked.headers['x-key'], asked.url.searchParams.get('token'))
    return {
      headers: { 'x-echo': HEADER, etag: `"${PARAM}"` },
      body: [{ SKU: 'A', note: `${HEADER} ${PARAM}` }],
    }
  })
  origin.on('/pages', ({ url }) => {
    const is_last = url.searchParams.get('after') !== null
    return { body: { items: [{ SKU: is_last ? 'B' : 'A' }], next: is_last ? null : `${HEADER}-2` } }
  })
  origin.on('/refuses', () => ({ status: 403, body: { message: `not with ${HEADER} and ${PARAM}` } }))
  origin.on('/leads', () => ({ status: 302, headers: { location: `http://10.0.0.1/?token=${PARAM}` } }))
  await send('POST', '/api/allowed_hosts', z.unknown(), { host: '127.0.0.1' })
  const api = (path: string) => ({
    kind: 'api',
    url: origin.root + path,
    headers: [{ name: 'X-Key', is_secret: true, value: HEADER }],
    params: [{ name: 'token', is_secret: true, value: PARAM }],
  })
  const { host, port, database, user, tls } = settingsOf(fleet.database.url, 'select 1')
  const server = { kind: 'database', engine: 'postgresql', host, port, database, user, tls }
  const wrong = {
    ...server,
    database: 'postgres',
    password: PASSWORD,
    statement: `select '${HEADER.slice(0, 6)}'`,
  }
  const paging = { style: 'cursor', param: 'after', cursor_path: '$.next' }
  const Pages = { ...api('/pages'), list_path: '$.items', paging }
  const connections = {
    Rows: api('/rows'),
    Pages,
    Refuses: api('/refuses'),
    Leads: api('/leads'),
    Database: wrong,
  }
  const tasks: number[] = []
  for (const [name, settings] of Object.entries(connections)) {
    await send('POST', '/api/connections', Id, { name, settings })
    const task = { name, source_type: settings.kind, source_identifier: name, source_task_type_id: null }
    tasks.push((await send('POST', '/api/source_tasks', Id, task)).id)
  }
  for (const id of tasks) await send('POST', `/api/source_schedule/trigger_task/${id}`, z.unknown(), {})
  const runs = await Promise.all(tasks.map((id) => endOfIngest(fleet.db, id)))
  expect(runs.map(({ state }) => state)).toEqual(['warning', 'success', 'failed', 'failed', 'failed'])
  expect(sent).toEqual([HEADER, PARAM])

  const said: [where: string, what: string][] = []
  const fetched = async (method: string, path: string, body?: object) => {
    const reply = await fetch(root + path, {
      method,
      headers: body ? { ...headers, 'content-type': 'application/json' } : headers,
      body: body ? JSON.stringify(body) : null,
    })
    said.push([`${method} ${path}`, `${JSON.stringify([...reply.headers])} ${await reply.text()}`])
  }
  const stored = await send(
    'GET',
    '/api/connections',
    z.array(z.object({ id: z.int(), settings: z.unknown() })),
  )
  for (const { id, settings } of stored) {
    await fetched('POST', '/api/connections/test', { id, settings })
    await fetched('PUT', `/api/connections/${id}`, { name: 'Rows' })
    await fetched('DELETE', `/api/connections/${id}`)
  }
  // A rejected body's error describes the fault without quoting the body.
  await fetched('POST', '/api/connections', {
    name: 'x y',
    settings: { ...api('/rows'), method: HEADER.length },
  })
  const lists = [
    'connections',
    'connections/names',
    'allowed_hosts',
    'source_tasks',
    'runs',
    'source_tasks/export_csv',
  ]
  for (const list of lists) await fetched('GET', `/api/${list}`)
  for (const id of tasks)
    for (const part of ['', '/logs', '/runs', '/data_copy', '/export_csv'])
      await fetched('GET', `/api/source_tasks/${id}${part}`)
  await fetched('GET', `/api/source_task_data?source_task_id=${tasks[0]}`)
  await fetched('GET', '/dev/logs?file=api')
  expect(said.find(([where]) => where.endsWith('/data_copy'))?.[1]).toContain('[secret]')

  // Failures are collected for a minute, which this skips.
  await sql`update runs set finished_at = finished_at - interval '1 minute' where state = 'failed'`.execute(
    fleet.db,
  )
  const isMailed = (name: string) => mails.mails.some(({ text }) => text.includes(name))
  await until('the failures are told', () => ['Refuses', 'Leads', 'Database'].every(isMailed))
  for (const mail of mails.mails) said.push(['mail', JSON.stringify(mail)])

  for (const { pid, roles, output, data_dir } of members) {
    said.push([`arguments of ${roles}`, await readFile(`/proc/${pid}/cmdline`, 'utf8')])
    said.push([`output of ${roles}`, output()])
    for (const file of await readdir(data_dir, { recursive: true, withFileTypes: true }))
      if (file.isFile()) said.push([file.name, await readFile(join(file.parentPath, file.name), 'latin1')])
  }
  const { rows: tables } = await sql<{ name: string }>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`.execute(fleet.db)
  expect(tables.length).toBeGreaterThan(30)
  for (const { name } of tables) {
    const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.raw(name)} t`.execute(
      fleet.db,
    )
    said.push([name, rows.map(({ row }) => row).join('\n')])
  }

  const leaks = said.filter(([, what]) => FORMS.some((form) => what.includes(form)))
  expect(leaks).toEqual([])
})
