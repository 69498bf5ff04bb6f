import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { receiver } from '../../../../test/fakes/receiver.ts'
import { alarmsSite, wanted } from '../../../../test/fixtures/alarms.ts'
import { aPlan } from '../../../../test/fixtures/copy-plans.ts'
import { aSourceTask, aSyncTask, aTaskOfTab, aType } from '../../../../test/fixtures/factories.ts'
import { type WebhookCreate, webhooks } from '../../../contract/alarms/calls.ts'
import { alarmMessages } from '../../../contract/alarms/client-messages.ts'
import { deriveKeys } from '../../platform/auth/keys.ts'
import { resealWebhooks } from '../../platform/auth/webhook-secrets.ts'

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

test('an alarm is sent once when it is raised, not repeated, and sent once when it is cleared', async () => {
  const { received } = await hook()
  const task = await aTaskOfTab(site.db, { name: 'Prices' })
  await ends(task, 'failed', { error: 'No permission.' })
  for (let n = 0; n < 3; n += 1) await check()
  expect(texts(received)).toEqual(['Problem: Prices (No permission.)\nhttps://rowferry.test'])
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
  await check()
  await ends(task, 'running')
  await check()
  expect(received).toHaveLength(1)
  await site.db.updateTable('runs').set({ state: 'stopped' }).where('state', '=', 'running').execute()
  await ends(task, 'success')
  for (let n = 0; n < 3; n += 1) await check()
  expect(texts(received).slice(1)).toEqual(['Resolved: Prices\nhttps://rowferry.test'])
})

test('an alarm names a task as screens do: first the name that a person gave it, then its tab', async () => {
  const { received } = await hook()
  const { db } = site
  const given = { target_sheet_name: 'Shop' }
  await ends(await aSyncTask(db, { name: 'Prices nightly', definition: given }), 'failed')
  const derived = { source_sheet_name: 'Stock', target_sheet_name: 'Warehouse' }
  await ends(await aSyncTask(db, { name: 'Stock', definition: derived }), 'failed')
  await check()
  const said = texts(received).join('\n')
  expect(said).toContain('Problem: Prices nightly (Shop)')
  expect(said).toContain('Problem: Warehouse')
})

test('a run beyond a limit has an alarm kind of its own, instead of that of failed tasks', async () => {
  const { received } = await hook({ kinds: ['limit'] })
  const { received: failures } = await hook({ name: 'Failures', kinds: ['failed'] })
  const task = await aTaskOfTab(site.db, { name: 'Stock' })
  await ends(task, 'failed', { error: 'Would remove 25 of 30 rows; the limit is 15.' })
  const { last_run_id } = await site.db
    .selectFrom('tasks')
    .select('last_run_id')
    .where('id', '=', task.id)
    .executeTakeFirstOrThrow()
  await aPlan(site.db, { id: last_run_id ?? 0, task_id: task.id })
  await site.db
    .updateTable('plans')
    .set({ limits: JSON.stringify([{ kind: 'rows_removed', text: 'Would remove 25 of 30 rows.' }]) })
    .execute()
  await check()
  expect(texts(received)).toEqual([
    'Problem: Stock (Would remove 25 of 30 rows; the limit is 15.)\nhttps://rowferry.test',
  ])
  expect(failures).toEqual([])
})

test('concurrent alarms are one message; several processes send it once', async () => {
  const { received } = await hook()
  for (const name of ['A', 'B', 'C']) await ends(await aTaskOfTab(site.db, { name }), 'failed')
  await Promise.all([check(), check(), check()])
  await check()
  expect(received.flatMap(({ json }) => String(json.text).match(/Problem: \w/g) ?? []).toSorted()).toEqual([
    'Problem: A',
    'Problem: B',
    'Problem: C',
  ])
})

test('alarms are raised for warnings, missed occurrences, old rows, a revoked grant, a full disk, dead schedulers and a short quota', async () => {
  const { db } = site
  const { received } = await hook()
  await ends(await aTaskOfTab(db, { name: 'Dirty' }), 'warning', {
    warnings: JSON.stringify([{ id: 'a', message: '1 cell with #N/A' }]),
  })
  const missed = await aTaskOfTab(db, { name: 'Late' })
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
  await check({ disk_bytes: Number.MAX_SAFE_INTEGER })
  const said = texts(received).join('\n')
  for (const line of [
    'Problem: Dirty (1 cell with #N/A)',
    'Problem: Late (still running)',
    `Problem: Old (${alarmMessages.stale_reason(48)})`,
    `Problem: ${alarmMessages.grant_revoked('ada@example.com')}`,
    `Problem: ${alarmMessages.no_scheduler}`,
    `Problem: ${alarmMessages.quota_short('read')}`,
    'Problem: The disk of ',
  ])
    expect(said).toContain(line)
})

test("each account's quota has its own alarm, raised once until half of the quota is free again", async () => {
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
  await Promise.all([check(), check()])
  await check()
  await keep(4)
  await check()
  const short = alarmMessages.quota_short('read', 'ada@example.com')
  expect(short).toContain('ada@example.com')
  const began = `Problem: ${short} (${alarmMessages.quota_reason})\nhttps://rowferry.test`
  expect(texts(received)).toEqual([began])
  await keep(2)
  await check()
  await check()
  expect(texts(received)).toEqual([began, `Resolved: ${short}\nhttps://rowferry.test`])
  // An account short of quota again later raises a new alarm, in addition to that of the project.
  await starts('ada@example.com', 5)
  await check()
  expect(texts(received)[2]).toContain(`Problem: ${alarmMessages.quota_short('read')} (`)
  expect(texts(received)[2]).toContain(`Problem: ${short} (`)
})

test('a webhook receives only its kinds, categories and types, and no end unless subscribed', async () => {
  const type = await aType(site.db, { name: 'Watched' })
  const { received } = await hook({
    kinds: ['failed', 'worker'],
    categories: ['sync'],
    task_type_ids: [type.id],
    tells_end: false,
  })
  const watched = await aTaskOfTab(site.db, { name: 'Watched', task_type_id: type.id })
  await ends(watched, 'failed')
  await ends(await aTaskOfTab(site.db, { name: 'Other type' }), 'failed')
  await ends(await aSourceTask(site.db, { name: 'Other category' }), 'failed', { category: 'source' })
  await ends(await aTaskOfTab(site.db, { name: 'Other kind', task_type_id: type.id }), 'warning', {
    message: 'x',
  })
  await check()
  expect(texts(received)).toEqual(['Problem: Watched\nhttps://rowferry.test'])
  await ends(watched, 'success')
  await check()
  expect(received).toHaveLength(1)
})

test('messages of quiet hours are sent afterwards', async () => {
  const clock = await sql<{ hm: string }>`
    select to_char(now() at time zone 'UTC' - interval '1 hour', 'HH24:MI') as hm`.execute(site.db)
  const later = await sql<{ hm: string }>`
    select to_char(now() at time zone 'UTC' + interval '1 hour', 'HH24:MI') as hm`.execute(site.db)
  const { received, webhook } = await hook({
    quiet_from: clock.rows[0]?.hm ?? '',
    quiet_to: later.rows[0]?.hm ?? '',
  })
  await ends(await aTaskOfTab(site.db, { name: 'Night' }), 'failed')
  await check()
  expect(received).toEqual([])
  const { host: _, is_signed: __, last_sent_at: ___, last_error: ____, id, ...rest } = webhook
  const changed = { ...rest, url: null, signing_key: null, quiet_from: null, quiet_to: null }
  expect((await ada.request('PUT', `/api/webhooks/${id}`, changed)).statusCode).toBe(200)
  await check()
  expect(texts(received)).toEqual(['Problem: Night\nhttps://rowferry.test'])
})

test('delivery is retried with growing delays, and the list shows the error; nothing is sent twice', async () => {
  const { received, state } = await hook()
  state.status = 500
  await ends(await aTaskOfTab(site.db, { name: 'Prices' }), 'failed')
  await check()
  await check()
  expect(received).toHaveLength(1)
  const [listed] = webhooks.list.reply.parse((await ada.request('GET', '/api/webhooks')).json())
  expect(listed?.last_error).toBe(alarmMessages.refused(500))
  state.status = 200
  await sql`update webhook_messages set due_at = now() where due_at is not null`.execute(site.db)
  await check()
  await check()
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

  test('is signed over time and body if there is a key', async () => {
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

  test('has the format of Slack and Teams, and task names in it mention no one', async () => {
    for (const format of ['slack', 'teams'] as const) {
      const { received } = await hook({ format, name: format })
      await ends(await aTaskOfTab(site.db, { name: `<!channel> [x](http://evil) ${format}` }), 'failed')
      await check()
      const json = JSON.stringify(received[0]?.json)
      expect(json).not.toContain('<!channel>')
      if (format === 'teams') expect(json).not.toContain('[x](')
      expect(received[0]?.json).toHaveProperty(format === 'slack' ? 'text' : 'attachments')
    }
  })

  test("is sent to allowed hosts only, including redirects, and the receiver's reply is not shown", async () => {
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

test("address and key are never shown again; a new host clears the key; the server's key may change", async () => {
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
