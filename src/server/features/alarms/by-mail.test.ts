import { beforeEach, expect, test } from 'vitest'
import { mailServer } from '../../../../test/fakes/mail-server.ts'
import { alarmsSite, wanted } from '../../../../test/fixtures/alarms.ts'
import { aTaskOfTab } from '../../../../test/fixtures/factories.ts'
import { type WebhookCreate, webhooks } from '../../../contract/alarms/calls.ts'
import { alarmMessages } from '../../../contract/alarms/client-messages.ts'
import { createSendMail } from '../../platform/mail.ts'

type Site = Awaited<ReturnType<typeof alarmsSite>>
let site: Site['site']
let ada: Site['ada']
let hook: Site['hook']
let check: Site['check']
let ends: Site['ends']

beforeEach(async () => {
  ;({ site, ada, hook, check, ends } = await alarmsSite())
})

test('mails report begin and end once, each with its page; a title adds no header and no line', async () => {
  const smtp = await mailServer()
  const sendMail = createSendMail({ smtpUrl: smtp.url, from: 'rowferry@example.com' })
  const mail = wanted({ url: 'ops@example.com', format: 'mail' })
  const reply = webhooks.create.reply.parse((await ada.request('POST', '/api/webhooks', mail)).json())
  expect(reply.host).toBe('ops@example.com')
  const task = await aTaskOfTab(site.db, { name: 'Prices\r\nBcc: all@example.com' })
  await ends(task, 'failed', { error: 'No\npermission.' })
  for (let n = 0; n < 3; n += 1) await check({ sendMail })
  await ends(task, 'success')
  for (let n = 0; n < 3; n += 1) await check({ sendMail })
  const page = `https://rowferry.test/sync_tasks/${task.id}/logs`
  const title = 'Prices Bcc: all@example.com'
  expect(smtp.mails.map(({ to, subject, text }) => ({ to, subject, text }))).toEqual([
    {
      to: ['ops@example.com'],
      subject: 'Rowferry: 1 problem',
      text: `Problem: ${title} (No permission.)\n  ${page}\nhttps://rowferry.test\n`,
    },
    {
      to: ['ops@example.com'],
      subject: 'Rowferry: 1 problem resolved',
      text: `Resolved: ${title}\n  ${page}\nhttps://rowferry.test\n`,
    },
  ])
})

test('without a mail server mails wait, and the test reports it', async () => {
  const mail = wanted({ url: 'ops@example.com', format: 'mail' })
  const { id } = webhooks.create.reply.parse((await ada.request('POST', '/api/webhooks', mail)).json())
  const tried = await ada.request('POST', `/api/webhooks/${id}/test`)
  expect(tried.json()).toEqual({ ok: false, message: alarmMessages.no_mail })
})

test('an address must match its receiver’s kind, also in an edit', async () => {
  const refused = { statusCode: 400 }
  const add = (fields: Partial<WebhookCreate> & { url: string }) =>
    ada.request('POST', '/api/webhooks', wanted(fields))
  expect(await add({ url: 'https://example.com', format: 'mail' })).toMatchObject(refused)
  expect(await add({ url: 'ops@example.com', format: 'slack' })).toMatchObject(refused)
  const { webhook } = await hook()
  const { id, host: _, is_signed: __, last_sent_at: ___, last_error: ____, ...settings } = webhook
  const change = (fields: object) =>
    ada.request('PUT', `/api/webhooks/${id}`, { ...settings, url: null, signing_key: null, ...fields })
  expect((await change({ format: 'mail' })).json()).toMatchObject({ field: 'url' })
  expect((await change({ format: 'mail', url: 'ops@example.com' })).statusCode).toBe(200)
})
