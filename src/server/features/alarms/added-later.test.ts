import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { receiver } from '../../../../test/fakes/receiver.ts'
import { alarmsSite, wanted } from '../../../../test/fixtures/alarms.ts'
import { aSourceTask, aTaskOfTab } from '../../../../test/fixtures/factories.ts'
import { type Webhook, webhooks } from '../../../contract/alarms/calls.ts'
import { alarmMessages } from '../../../contract/alarms/client-messages.ts'

type Site = Awaited<ReturnType<typeof alarmsSite>>
let site: Site['site']
let ada: Site['ada']
let hook: Site['hook']
let check: Site['check']
let ends: Site['ends']

beforeEach(async () => {
  ;({ site, ada, hook, check, ends } = await alarmsSite())
})

const texts = (received: { json: Record<string, unknown> }[]) => received.map(({ json }) => json.text)

const change = (
  { id, host: _, is_signed: __, last_sent_at: ___, last_error: ____, ...rest }: Webhook,
  to: object,
) => ada.request('PUT', `/api/webhooks/${id}`, { ...rest, url: null, signing_key: null, ...to })

test('a webhook added during an alarm receives it once, and its end', async () => {
  const first = await hook({ name: 'First' })
  const task = await aTaskOfTab(site.db, { name: 'Prices' })
  await ends(task, 'failed')
  await check()
  const later = await hook({ name: 'Later' })
  for (let n = 0; n < 3; n += 1) await Promise.all([check(), check()])
  const began = 'Problem: Prices\nhttps://rowferry.test'
  expect(texts(first.received)).toEqual([began])
  expect(texts(later.received)).toEqual([began])
  await ends(task, 'success')
  for (let n = 0; n < 2; n += 1) await check()
  const over = 'Resolved: Prices\nhttps://rowferry.test'
  expect(texts(first.received)).toEqual([began, over])
  expect(texts(later.received)).toEqual([began, over])
  // A webhook does not receive alarms that ended before it was added.
  const last = await hook({ name: 'Last' })
  await check()
  expect(last.received).toEqual([])
})

test('so does a webhook that is enabled again or subscribes to more', async () => {
  const { webhook, received } = await hook({ kinds: ['warning'], categories: ['source'] })
  await ends(await aTaskOfTab(site.db, { name: 'Sync' }), 'failed')
  await ends(await aSourceTask(site.db, { name: 'Source' }), 'failed', { category: 'source' })
  await check()
  expect(received).toEqual([])
  const kinds = webhooks.update.reply.parse((await change(webhook, { kinds: ['failed'] })).json())
  await check()
  expect(texts(received)).toEqual(['Problem: Source\nhttps://rowferry.test'])
  const off = webhooks.update.reply.parse((await change(kinds, { is_active: false, categories: [] })).json())
  await check()
  expect(received).toHaveLength(1)
  expect((await change(off, { is_active: true })).statusCode).toBe(200)
  await check()
  await check()
  expect(texts(received).slice(1)).toEqual(['Problem: Sync\nhttps://rowferry.test'])
})

test('an address whose host is not allowed is refused on saving, with the host and the place of the list', async () => {
  const to = await receiver()
  const refused = {
    statusCode: 400,
    body: expect.stringContaining('127.0.0.1 (port '),
  }
  const added = await ada.request('POST', '/api/webhooks', wanted({ url: to.url }))
  expect(added).toMatchObject(refused)
  expect(added.json()).toMatchObject({
    code: 'host_not_allowed',
    field: 'url',
    message: expect.stringContaining('Settings → Allowed hosts'),
  })
  const { webhook, host } = await hook()
  expect(await change(webhook, { url: to.url })).toMatchObject(refused)
  const { rows } = await sql`select host from webhooks`.execute(site.db)
  expect(rows).toEqual([{ host }])
})

test('a webhook whose host is no longer allowed can be disabled, and shows why it sends nothing', async () => {
  const { webhook, host, received } = await hook()
  await ada.request('DELETE', '/api/allowed_hosts', { host })
  await ends(await aTaskOfTab(site.db, { name: 'Prices' }), 'failed')
  await check()
  expect(received).toEqual([])
  const listed = webhooks.list.reply.parse((await ada.request('GET', '/api/webhooks')).json())
  expect(listed[0]?.last_error).toContain(alarmMessages.no_answer('127.0.0.1'))
  expect((await change(webhook, { is_active: false })).statusCode).toBe(200)
})
