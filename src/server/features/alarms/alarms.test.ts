import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { receiver } from '../../../../test/fakes/receiver.ts'
import { alarmsSite, wanted } from '../../../../test/fixtures/alarms.ts'
import { aSourceTask, aSyncTask, aType } from '../../../../test/fixtures/factories.ts'
import { type WebhookCreate, webhooks } from '../../../contract/alarms/calls.ts'
import { alarmMessages } from '../../../contract/alarms/client-messages.ts'
import { deriveKeys } from '../../platform/auth/keys.ts'
import { resealWebhooks } from '../../platform/auth/webhook-secrets.ts'

type Site = Awaited<ReturnType<typeof alarmsSite>>
let site: Site['site']
let ada: Site['ada']
let hook: Site['hook']
let look: Site['look']
let ends: Site['ends']

beforeEach(async () => {
  ;({ site, ada, hook, look, ends } = await alarmsSite())
})

const texts = (received: { json: Record<string, unknown> }[]) => received.map(({ json }) => json.text)

test('an alarm is sent once when it is raised, not repeated, and sent once when it is cleared', async () => {
  const { received } = await hook()
  const task = await aSyncTask(site.db, { name: 'Prices' })
  await ends(task, 'failed', { error: 'No permission.' })
  for (let n = 0; n < 3; n += 1) await look()
  expect(texts(received)).toEqual(['Not well: Prices (No permission.)\nhttps://rowferry.test'])
  expect(received[0]?.json.alarms).toEqual([
    expect.objectContaining({
      event: 'began',
      kind: 'failed',
      task_id: task.id,
      url: `https://rowferry.test/sync_tasks/${task.id}/logs`,
    }),
  ])
  // Another failure of the same task raises no second alarm, and a live run does not clear it.
  await ends(task, 'failed', { error: 'Again.' })
  await look()
  await ends(task, 'running')
  await look()
  expect(received).toHaveLength(1)
  await site.db.updateTable('runs').set({ state: 'stopped' }).where('state', '=', 'running').execute()
  await ends(task, 'success')
  for (let n = 0; n < 3; n += 1) await look()
  expect(texts(received).slice(1)).toEqual(['Over: Prices\nhttps://rowferry.test'])
})

test('concurrent alarms are one message; several processes send it once', async () => {
  const { received } = await hook()
  for (const name of ['A', 'B', 'C']) await ends(await aSyncTask(site.db, { name }), 'failed')
  await Promise.all([look(), look(), look()])
  await look()
  expect(received.flatMap(({ json }) => String(json.text).match(/Not well: \w/g) ?? []).toSorted()).toEqual([
    'Not well: A',
    'Not well: B',
    'Not well: C',
  ])
})

test('warnings, missed occurrences, old rows, a revoked grant, a full disk, silent schedulers and a short quota are noticed', async () => {
  const { db } = site
  const { received } = await hook()
  await ends(await aSyncTask(db, { name: 'Dirty' }), 'warning', {
    warnings: JSON.stringify([{ id: 'a', message: '1 cell with #N/A' }]),
  })
  const missed = await aSyncTask(db, { name: 'Late' })
  const due = { schedule: 'task', stage: 0, outcome: 'missed', reason: 'still running' } as const
  await db
    .insertInto('due_moments')
    .values({ ...due, task_id: missed.id, due_at: new Date(), last_due_at: new Date() })
    .execute()
  const old = await aSourceTask(db, { name: 'Old' })
  await ends(old, 'success', { finished_at: new Date(Date.now() - 49 * 3600_000), category: 'source' })
  await sql`update grants set revoked_at = now()`.execute(db)
  await sql`update schedule_clock set looked_at = now() - interval '1 hour'`.execute(db)
  await sql`insert into quota_log (project, account, kind, started_at)
    select 'p', 'ada@example.com', 'read', clock_timestamp() from generate_series(1, 10)`.execute(db)
  await look({ disk_bytes: Number.MAX_SAFE_INTEGER })
  const said = texts(received).join('\n')
  for (const line of [
    'Not well: Dirty (1 cell with #N/A)',
    'Not well: Late (still running)',
    `Not well: Old (${alarmMessages.stale_reason(48)})`,
    `Not well: ${alarmMessages.grant_revoked('ada@example.com')}`,
    `Not well: ${alarmMessages.no_scheduler}`,
    `Not well: ${alarmMessages.quota_short('read')}`,
    'Not well: The disk of ',
  ])
    expect(said).toContain(line)
})

test('the quota of an account is judged by itself: named once until half of it is free again', async () => {
  const { received } = await hook({ kinds: ['quota'] })
  const starts = async (account: string, count: number) => {
    await sql`insert into quota_log (project, account, kind, started_at)
      select 'p', ${account}, 'read', clock_timestamp() from generate_series(1, ${count}::int)`.execute(
      site.db,
    )
  }
  const keep = async (count: number) => {
    await sql`delete from quota_log where account = 'ada@example.com' and id not in (
      select id from quota_log where account = 'ada@example.com' limit ${count}::int)`.execute(site.db)
  }
  await starts('ada@example.com', 6)
  await starts('ben@example.com', 3)
  await Promise.all([look(), look()])
  await look()
  await keep(4)
  await look()
  const short = alarmMessages.quota_short('read', 'ada@example.com')
  expect(short).toContain('ada@example.com')
  const began = `Not well: ${short} (${alarmMessages.quota_reason})\nhttps://rowferry.test`
  expect(texts(received)).toEqual([began])
  await keep(2)
  await look()
  await look()
  expect(texts(received)).toEqual([began, `Over: ${short}\nhttps://rowferry.test`])
  // An account short of quota again later raises a new alarm, in addition to that of the project.
  await starts('ada@example.com', 5)
  await look()
  expect(texts(received)[2]).toContain(`Not well: ${alarmMessages.quota_short('read')} (`)
  expect(texts(received)[2]).toContain(`Not well: ${short} (`)
})

test('a webhook receives only its kinds, categories and types, and no end unless subscribed', async () => {
  const type = await aType(site.db, { name: 'Watched' })
  const { received } = await hook({
    kinds: ['failed', 'worker'],
    categories: ['sync'],
    task_type_ids: [type.id],
    tells_end: false,
  })
  const watched = await aSyncTask(site.db, { name: 'Watched', task_type_id: type.id })
  await ends(watched, 'failed')
  await ends(await aSyncTask(site.db, { name: 'Other type' }), 'failed')
  await ends(await aSourceTask(site.db, { name: 'Other category' }), 'failed', { category: 'source' })
  await ends(await aSyncTask(site.db, { name: 'Other kind', task_type_id: type.id }), 'warning', {
    message: 'x',
  })
  await look()
  expect(texts(received)).toEqual(['Not well: Watched\nhttps://rowferry.test'])
  await ends(watched, 'success')
  await look()
  expect(received).toHaveLength(1)
})

test('in quiet hours nothing is sent, and all of it afterwards', async () => {
  const clock = await sql<{ hm: string }>`
    select to_char(now() at time zone 'UTC' - interval '1 hour', 'HH24:MI') as hm`.execute(site.db)
  const later = await sql<{ hm: string }>`
    select to_char(now() at time zone 'UTC' + interval '1 hour', 'HH24:MI') as hm`.execute(site.db)
  const { received, webhook } = await hook({
    quiet_from: clock.rows[0]?.hm ?? '',
    quiet_to: later.rows[0]?.hm ?? '',
  })
  await ends(await aSyncTask(site.db, { name: 'Night' }), 'failed')
  await look()
  expect(received).toEqual([])
  const { host: _, is_signed: __, last_sent_at: ___, last_error: ____, id, ...rest } = webhook
  const changed = { ...rest, url: null, signing_key: null, quiet_from: null, quiet_to: null }
  expect((await ada.request('PUT', `/api/webhooks/${id}`, changed)).statusCode).toBe(200)
  await look()
  expect(texts(received)).toEqual(['Not well: Night\nhttps://rowferry.test'])
})

test('delivery is retried with growing delays, and the list shows the error; nothing is sent twice', async () => {
  const { received, state } = await hook()
  state.status = 500
  await ends(await aSyncTask(site.db, { name: 'Prices' }), 'failed')
  await look()
  await look()
  expect(received).toHaveLength(1)
  const [listed] = webhooks.list.reply.parse((await ada.request('GET', '/api/webhooks')).json())
  expect(listed?.last_error).toBe(alarmMessages.refused(500))
  state.status = 200
  await sql`update webhook_messages set due_at = now() where due_at is not null`.execute(site.db)
  await look()
  await look()
  expect(received).toHaveLength(2)
  const [mended] = webhooks.list.reply.parse((await ada.request('GET', '/api/webhooks')).json())
  expect(mended).toMatchObject({ last_error: null, last_sent_at: expect.any(String) })
})

describe('a message', () => {
  const send = async (fields: Partial<WebhookCreate>) => {
    const to = await hook(fields)
    const { id } = to.webhook
    const reply = webhooks.test.reply.parse((await ada.request('POST', `/api/webhooks/${id}/test`)).json())
    return { ...to, reply }
  }

  test('is signed with the key over time and body, where there is one', async () => {
    const signing_key = 'a key that both of us know'
    const { received, reply } = await send({ signing_key })
    expect(reply).toEqual({ ok: true, message: alarmMessages.test_arrived })
    expect(received).toHaveLength(1)
    const headers = received[0]?.headers
    const body = received[0]?.body
    const mac = createHmac('sha256', signing_key).update(`${headers?.['x-rowferry-timestamp']}.${body}`)
    expect(headers?.['x-rowferry-signature']).toBe(`sha256=${mac.digest('hex')}`)
    expect(received[0]?.json).toMatchObject({ is_test: true, alarms: [] })
  })

  test('is what Slack and Teams take, and calls nobody whom a task is named after', async () => {
    for (const format of ['slack', 'teams'] as const) {
      const { received } = await hook({ format, name: format })
      await ends(await aSyncTask(site.db, { name: `<!channel> [x](http://evil) ${format}` }), 'failed')
      await look()
      const json = JSON.stringify(received[0]?.json)
      expect(json).not.toContain('<!channel>')
      if (format === 'teams') expect(json).not.toContain('[x](')
      expect(received[0]?.json).toHaveProperty(format === 'slack' ? 'text' : 'attachments')
    }
  })

  test('goes to allowed hosts alone, redirects included, and what the receiver says is not shown', async () => {
    const { webhook, state, host } = await hook()
    const trial = async () =>
      webhooks.test.reply.parse((await ada.request('POST', `/api/webhooks/${webhook.id}/test`)).json())
    const other = await receiver()
    state.status = 307
    state.location = other.url
    expect((await trial()).ok).toBe(false)
    expect(other.received).toEqual([])
    state.status = 400
    expect(await trial()).toEqual({ ok: false, message: alarmMessages.refused(400) })
    await ada.request('DELETE', '/api/allowed_hosts', { host })
    state.status = 200
    expect((await trial()).message).toContain('127.0.0.1')
  })
})

test('neither the address nor the key is shown again; a new host forgets the key; the key of the server may change', async () => {
  const { webhook, url } = await hook({ signing_key: 'a key that both of us know' })
  expect(webhook).toMatchObject({ is_signed: true })
  const rows = await sql<{ row: string }>`
    select w::text as row from webhooks w union all select a::text from audit_log a`.execute(site.db)
  const shown = JSON.stringify([rows.rows, (await ada.request('GET', '/api/webhooks')).json()]) + site.logs()
  expect(shown).not.toContain('T0/secret')
  expect(shown).not.toContain('both of us')

  const next = deriveKeys(
    'another key of the tests, long enough too',
    'a key of the tests, long enough for the rule',
  )
  expect(await resealWebhooks(site.db, next)).toEqual({ resealed: 1, unreadable: 0 })
  expect(await resealWebhooks(site.db, deriveKeys('a third key, which opens none of that at all'))).toEqual({
    resealed: 0,
    unreadable: 1,
  })
  await resealWebhooks(site.db, { ...site.keys, old: next })

  const { host: _, is_signed: __, last_sent_at: ___, last_error: ____, id, ...rest } = webhook
  await ada.request('POST', '/api/allowed_hosts', { host: 'localhost' })
  const moved = { ...rest, url: url.replace('127.0.0.1', 'localhost'), signing_key: null }
  const changed = await ada.request('PUT', `/api/webhooks/${id}`, moved)
  expect(changed.json()).toMatchObject({ is_signed: false })
  expect((await ada.request('PUT', `/api/webhooks/${id}`, moved)).statusCode).toBe(409)
  expect((await ada.request('DELETE', `/api/webhooks/${id}`)).statusCode).toBe(204)
})

test('invalid webhooks are refused with the field, and only administrators see webhooks', async () => {
  const { url, host } = await receiver()
  await ada.request('POST', '/api/allowed_hosts', { host })
  for (const wrong of [
    { url: 'ftp://example.com' },
    { url: 'https://user:word@example.com' },
    { kinds: [] },
    { signing_key: 'short' },
    { quiet_from: '22:00' },
    { name: '' },
  ])
    expect((await ada.request('POST', '/api/webhooks', wanted({ url, ...wrong }))).statusCode).toBe(400)
  await ada.request('POST', '/api/webhooks', wanted({ url }))
  expect((await ada.request('POST', '/api/webhooks', wanted({ url }))).json().code).toBe('webhook_name_taken')
  const ben = await site.signIn('ben@example.com')
  expect((await ben.request('GET', '/api/webhooks')).statusCode).toBe(403)
})
