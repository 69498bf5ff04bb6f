import { sql } from 'kysely'
import pino from 'pino'
import { beforeAll, expect, test } from 'vitest'
import { mailServer } from '../../../../test/fakes/mail-server.ts'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { aSyncTask } from '../../../../test/fixtures/factories.ts'
import { createSendMail } from '../../platform/mail.ts'
import { sendNotificationMails } from './commands/send-mails.ts'

let site: TestApp

beforeAll(async () => {
  site = await testApp()
})

const log = pino({ level: 'silent' })
const send = (smtpUrl: string) =>
  sendNotificationMails({
    db: site.db,
    send: createSendMail({ smtpUrl, from: 'Rowferry <rowferry@example.com>' }),
    log,
    publicUrl: 'https://rowferry.test',
    gather_seconds: 0,
  })
const dueNow = () => sql`update notification_mails set due_at = now()`.execute(site.db)
const choose = (user: SignedIn, kinds: string[]) => user.request('PUT', '/api/notifications/mail', { kinds })
const fail = (task_id: number, title: string, fields: object = {}) =>
  site.db
    .insertInto('alarms')
    .values({
      ...{
        kind: 'failed',
        subject: `task ${task_id} ${title}`,
        category: 'sync',
        task_type_id: null,
        over_at: null,
      },
      ...{ task_id, title, reason: 'No edit access' },
      ...fields,
    })
    .execute()

async function watcher(email: string): Promise<{ user: SignedIn; id: number }> {
  const user = await site.signIn(email)
  const { id } = await aSyncTask(site.db)
  await user.request('PUT', `/api/favourites/${id}`, { is_favourite: true })
  return { user, id }
}

test('a user gets the chosen kinds in one mail, once; nothing from before the choice and nothing that is over', async () => {
  const smtp = await mailServer()
  const { user, id } = await watcher('ada@example.com')
  await fail(id, 'Before')
  expect((await choose(user, ['failed', 'mention'])).json()).toEqual({
    kinds: ['failed', 'mention'],
    can_mail: false,
  })
  await fail(id, 'Prices')
  await fail(id, 'Stock')
  await fail(id, 'Over again', { over_at: new Date() })
  await fail(id, 'Missed', { kind: 'missed' })
  await send(smtp.url)
  expect(smtp.mails).toHaveLength(1)
  expect(smtp.mails[0]).toMatchObject({
    to: ['ada@example.com'],
    subject: 'Rowferry: Stock failed and 1 more',
  })
  expect(smtp.mails[0]?.text).toContain(
    `- Prices failed\n  No edit access\n  https://rowferry.test/sync_tasks/${id}\n`,
  )
  expect(smtp.mails[0]?.text).not.toMatch(/Before|Over again|Missed/)
  await dueNow()
  await send(smtp.url)
  expect(smtp.mails).toHaveLength(1)
  await choose(user, [])
})

test('a mail that could not be sent is sent later; several processes send it once', async () => {
  const smtp = await mailServer()
  const { user, id } = await watcher('bob@example.com')
  await choose(user, ['failed'])
  await fail(id, 'Later')
  await send('smtp://127.0.0.1:1')
  await dueNow()
  await Promise.all([send(smtp.url), send(smtp.url), send(smtp.url)])
  expect(smtp.mails.map(({ to, subject }) => [to[0], subject])).toEqual([
    ['bob@example.com', 'Rowferry: Later failed'],
  ])
  await choose(user, [])
})

test('names and errors add no header, line or secret; disabled users get nothing', async () => {
  const smtp = await mailServer()
  const { user, id } = await watcher('carl@example.com')
  await choose(user, ['failed'])
  await fail(id, 'Evil\r\nBcc: all@example.com', { reason: 'Broken\n- Other failed Bearer abcdefghijklmnop' })
  await send(smtp.url)
  expect(smtp.mails[0]?.headers).not.toMatch(/^bcc:/im)
  expect(smtp.mails[0]?.text.split('\n').filter((line) => line.startsWith('- '))).toHaveLength(1)
  expect(smtp.mails[0]?.text).not.toContain('abcdefghijklmnop')
  await fail(id, 'After the end')
  await sql`update users set disabled_at = now() where email = 'carl@example.com'`.execute(site.db)
  await dueNow()
  await send(smtp.url)
  expect(smtp.mails).toHaveLength(1)
})

test('an unknown kind is refused by name', async () => {
  const dora = await site.signIn('dora@example.com')
  const reply = await choose(dora, ['failed', 'everything'])
  expect([reply.statusCode, reply.json().field]).toEqual([400, 'kinds.1'])
})
