import { sql } from 'kysely'
import pino from 'pino'
import { expect, test } from 'vitest'
import { mailServer } from '../../../../test/fakes/mail-server.ts'
import { databasePerTest } from '../../../../test/fixtures/database.ts'
import { aRun, aSourceTask, aSyncTask, aUser } from '../../../../test/fixtures/factories.ts'
import { createSendMail } from '../../platform/mail.ts'
import { listenForEvents, type Notice } from '../../platform/notify.ts'
import { taskStates } from '../../tasks/list/task-states.ts'
import { sendFailureMails } from './commands/send-failure-mails.ts'

const database = databasePerTest()

const lines: string[] = []
const log = pino({}, { write: (line: string) => lines.push(line) })

const deps = (smtpUrl: string, changes: object = {}) => ({
  db: database.db,
  send: createSendMail({ smtpUrl, from: 'Rowferry <rowferry@example.com>' }),
  log,
  alerts: ['ops@example.com'],
  publicUrl: 'https://rowferry.test',
  zone: 'America/New_York',
  gather_seconds: 0,
  ...changes,
})

const failed = (task_id: number, error: string, fields: object = {}) =>
  aRun(database.db, task_id, {
    state: 'failed',
    error,
    category: 'source',
    finished_at: new Date(),
    ...fields,
  })

const mailed = (run_id: number) =>
  database.db.selectFrom('runs').select('mailed_at').where('id', '=', run_id).executeTakeFirstOrThrow()

const dueNow = () => sql`update run_mails set due_at = now() where due_at is not null`.execute(database.db)

test('a failed run is mailed once: to the owner of its account, to the accounts it names and to the alert recipients', async () => {
  const smtp = await mailServer()
  const ada = await aUser(database.db, { email: 'ada@example.com' })
  await aUser(database.db, { email: 'gone@example.com', disabled_at: new Date() })
  const accounts = ['Ben@example.com', 'gone@example.com', 'robot@project.iam.gserviceaccount.com']
  const task = await aSourceTask(database.db, {
    name: 'Prices',
    account_user_id: ada.id,
    relevant_user_accounts: accounts,
  })
  const { id } = await failed(task.id, 'The API refused the request (401). Check its headers and secrets.')
  await sendFailureMails(deps(smtp.url))
  expect(smtp.mails.map(({ to }) => to.join()).sort()).toEqual([
    'ada@example.com',
    'ben@example.com',
    'ops@example.com',
  ])
  const [mail] = smtp.mails
  expect(mail).toMatchObject({ from: 'rowferry@example.com', subject: 'Rowferry: Prices failed' })
  expect(mail?.text).toMatch(
    'The API refused the request (401). Check its headers and secrets.\n\n- Prices (source task), ',
  )
  expect(mail?.text).toMatch(`\n  https://rowferry.test/source_tasks/${task.id}/logs\n`)
  expect((await mailed(id)).mailed_at).not.toBeNull()
  await sendFailureMails(deps(smtp.url))
  expect(smtp.mails).toHaveLength(3)
})

test('a task event reports that the mail was sent', async () => {
  const smtp = await mailServer()
  const task = await aSourceTask(database.db)
  const run = await failed(task.id, 'Gone')
  const notices: Notice[] = []
  const { promise: ready, resolve } = Promise.withResolvers<void>()
  const listening = listenForEvents(database.url, (notice) => notices.push(notice), { onGap: resolve })
  await ready
  await sendFailureMails(deps(smtp.url))
  await expect
    .poll(() => notices)
    .toContainEqual({ kind: 'run', task_id: task.id, run_id: run.id, state: 'failed' })
  expect((await taskStates(database.db, [task.id])).get(task.id)).toMatchObject({
    state: 'failed',
    is_mailed: true,
  })
  await listening.close()
})

test('many failures come in one mail, each cause once with its start', async () => {
  const smtp = await mailServer()
  const first = await aSourceTask(database.db, { name: 'A' })
  const second = await aSourceTask(database.db, { name: 'B' })
  const sync = await aSyncTask(database.db, { name: 'Own name', definition: { target_sheet_name: 'Shop' } })
  await failed(first.id, 'The origin is busy.', { finished_at: new Date('2026-03-01T09:00:00Z') })
  for (const { id } of [first, second]) await failed(id, 'The origin is busy.')
  await failed(sync.id, 'No permission.', { category: 'sync', state: 'error' })
  await sendFailureMails(deps(smtp.url))
  const [mail] = smtp.mails
  expect(smtp.mails).toHaveLength(1)
  expect(mail?.subject).toBe('Rowferry: 3 tasks failed')
  expect(mail?.text.match(/The origin is busy\./g)).toHaveLength(1)
  expect(mail?.text).toMatch(/- A \(source task\), .* EST, since 2026-03-01 0[45]:00:00 EST \(2 runs\)/)
  expect(mail?.text).toMatch(/- B \(source task\), [^,]* EST\n/)
  expect(mail?.text).toMatch(`- Own name (Shop) (sync task), `)
  expect(mail?.text).toMatch(`https://rowferry.test/sync_tasks/${sync.id}/logs`)
})

test('failures are collected for a minute; successful, stopped and old runs are not mailed', async () => {
  const smtp = await mailServer()
  const task = async () => (await aSourceTask(database.db)).id
  await failed(await task(), 'Old', { finished_at: new Date(Date.now() - 2 * 3_600_000) })
  await failed(await task(), 'Fine', { state: 'success' })
  await failed(await task(), 'Stopped', { state: 'stopped' })
  const cancelled = await task()
  const { id } = await failed(cancelled, 'Cancelled')
  await database.db.updateTable('tasks').set({ stopped_run_id: id }).where('id', '=', cancelled).execute()
  const young = await failed(await task(), 'Young')
  await sendFailureMails(deps(smtp.url, { gather_seconds: 60 }))
  expect(smtp.mails).toEqual([])
  await database.db
    .updateTable('runs')
    .set({ finished_at: new Date(Date.now() - 61_000) })
    .where('id', '=', young.id)
    .execute()
  await failed(await task(), 'Younger')
  await sendFailureMails(deps(smtp.url, { gather_seconds: 60 }))
  expect(smtp.mails).toHaveLength(1)
  expect(smtp.mails[0]?.text).toMatch(/Young\n[\s\S]*Younger\n/)
  expect(smtp.mails[0]?.text).not.toMatch(/Old|Fine|Stopped|Cancelled/)
})

test('an unavailable mail server is retried with growing delays and finally given up', async () => {
  const smtp = await mailServer()
  await smtp.close()
  const run = await failed((await aSourceTask(database.db)).id, 'Gone')
  const pauses: number[] = []
  for (let attempt = 1; attempt <= 14; attempt += 1) {
    await sendFailureMails(deps(smtp.url))
    const { rows } = await sql<{ minutes: number | null }>`
      select extract(epoch from due_at - now())::float8 / 60 as minutes from run_mails`.execute(database.db)
    if (rows[0]?.minutes != null) pauses.push(Math.round(rows[0].minutes))
    await dueNow()
  }
  expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60, 60, 60, 60, 60])
  expect((await mailed(run.id)).mailed_at).toBeNull()
  expect(lines.join('')).toMatch('Gave up sending a mail about failed runs')
})

test('a rejected address does not affect the others and is not retried', async () => {
  let busy = true
  const smtp = await mailServer((recipient) => {
    if (recipient.startsWith('nobody')) return { code: 550, text: 'No such user' }
    return recipient.startsWith('busy') && busy ? { code: 451, text: 'Later' } : null
  })
  const alerts = ['nobody@example.com', 'ops@example.com', 'busy@example.com']
  const run = await failed((await aSourceTask(database.db)).id, 'Gone')
  await sendFailureMails(deps(smtp.url, { alerts }))
  expect(smtp.mails.map(({ to }) => to)).toEqual([['ops@example.com']])
  expect((await mailed(run.id)).mailed_at).not.toBeNull()
  busy = false
  await dueNow()
  await sendFailureMails(deps(smtp.url, { alerts }))
  expect(smtp.mails.map(({ to }) => to)).toEqual([['ops@example.com'], ['busy@example.com']])
})

test('two processes send each mail once', async () => {
  const smtp = await mailServer()
  for (let n = 0; n < 5; n += 1)
    await failed(
      (await aSourceTask(database.db, { relevant_user_accounts: [`p${n}@example.com`] })).id,
      'Gone',
    )
  await Promise.all([1, 2, 3].map(() => sendFailureMails(deps(smtp.url))))
  expect(smtp.mails.map(({ to }) => to.join()).sort()).toEqual(
    [0, 1, 2, 3, 4]
      .map((n) => `p${n}@example.com`)
      .concat('ops@example.com')
      .sort(),
  )
  const watching = smtp.mails.find(({ to }) => to.includes('ops@example.com'))
  expect(watching?.subject).toBe('Rowferry: 5 tasks failed')
})

test('task name and error add no header, line or secret to a mail', async () => {
  const smtp = await mailServer()
  const name = 'Evil\r\nBcc: all@example.com\r\n\r\nBody\u2028'
  const task = await aSourceTask(database.db, {
    name,
    relevant_user_accounts: ['a@example.com\r\nBcc: b@example.com'],
  })
  await failed(task.id, 'Broken\n- Other task (sync task)\n  https://evil.test Bearer abcdefghijklmnop')
  await sendFailureMails(deps(smtp.url))
  for (const { headers, text, to } of smtp.mails) {
    expect(headers).not.toMatch(/^bcc:/im)
    expect(to).not.toContain('all@example.com')
    expect(to).not.toContain('b@example.com')
    expect(text.split('\n').filter((line) => line.startsWith('- '))).toHaveLength(1)
    expect(text).not.toMatch('abcdefghijklmnop')
  }
  expect(smtp.mails.length).toBeGreaterThan(0)
})
