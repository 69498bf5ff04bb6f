import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import type { z } from 'zod'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { aConfig, aSourceTask, aSyncTask, aType } from '../../../../test/fixtures/factories.ts'
import { notifications } from '../../../contract/notifications/calls.ts'

let site: TestApp
let ada: SignedIn
let bob: SignedIn
let adaId: number

beforeAll(async () => {
  site = await testApp()
  ada = await site.signIn()
  bob = await site.signIn('bob@example.com')
  const row = await site.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', ada.email)
    .executeTakeFirstOrThrow()
  adaId = row.id
})

type List = z.output<typeof notifications.list.reply>

const listOf = async (user: SignedIn): Promise<List> => {
  const reply = await user.request('GET', '/api/notifications')
  expect([reply.statusCode, reply.body]).toEqual([200, reply.body])
  return notifications.list.reply.parse(reply.json())
}
const unreadOf = async (user: SignedIn) =>
  (await user.request('GET', '/api/notifications/count')).json().unread as number
const read = (user: SignedIn, keys: string[], and_older = false) =>
  user.request('POST', '/api/notifications/read', { keys, and_older })

type Alarm = {
  kind?: string
  task_id?: number | null
  task_type_id?: number | null
  title?: string
  reason?: string
  began_at?: Date
  over_at?: Date | null
}

/** As the watch over all conditions raises it. */
async function alarm({
  kind = 'failed',
  task_id = null,
  title = 'Some task',
  ...fields
}: Alarm): Promise<string> {
  const { id } = await site.db
    .insertInto('alarms')
    .values({
      ...{
        kind,
        task_id,
        title,
        reason: 'No edit access',
        category: 'sync',
        task_type_id: null,
        over_at: null,
      },
      subject: `${kind} ${Math.random()}`,
      ...fields,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return `alarm ${id}`
}

test('failures of tasks that the user owns or watches are listed, and of no other tasks', async () => {
  const owned = await aSyncTask(site.db, { owner_id: adaId })
  const watched = await aSyncTask(site.db)
  const config = await aConfig(site.db)
  for (const id of [watched.id, config.task_id])
    await ada.request('PUT', `/api/favourites/${id}`, { is_favourite: true })
  const other = await aSyncTask(site.db)
  const keys = [
    await alarm({ task_id: owned.id }),
    await alarm({ task_id: watched.id }),
    await alarm({ task_id: config.task_id }),
  ]
  await alarm({ task_id: other.id })
  await alarm({ kind: 'worker' })
  const list = await listOf(ada)
  expect(list.map(({ key }) => key).sort()).toEqual(keys.sort())
  expect(list.find(({ task }) => task?.id === config.task_id)?.task).toEqual({
    id: config.task_id,
    category: 'compiler',
    config_id: config.id,
  })
  expect(await listOf(bob)).toEqual([])
  expect([await unreadOf(ada), await unreadOf(bob)]).toEqual([3, 0])
})

test('one is marked as read, then all that were shown; a repeated and a late request change nothing', async () => {
  const task = await aSyncTask(site.db, { owner_id: adaId })
  const [first, second] = [await alarm({ task_id: task.id }), await alarm({ task_id: task.id })]
  const before = await unreadOf(ada)
  await read(ada, [first])
  expect((await read(ada, [first])).json()).toEqual({ unread: before - 1 })
  const shown = (await listOf(ada)).map(({ key }) => key)
  const later = await alarm({ task_id: task.id })
  await read(ada, shown, true)
  const unread = (await listOf(ada)).filter(({ is_read }) => !is_read).map(({ key }) => key)
  expect(unread).toEqual([later])
  await read(ada, [second], true)
  expect(await unreadOf(ada)).toBe(1)
  expect(await unreadOf(bob)).toBe(0)
})

test('rows that wait for an approval, late forecasts of a type and recoveries show as such', async () => {
  const type = await aType(site.db)
  const task = await aSyncTask(site.db, { owner_id: adaId, task_type_id: type.id })
  const ingest = await aSourceTask(site.db, { owner_id: adaId })
  const { rows } = await sql<{ id: number }>`
    insert into snapshots (task_id, kind) values (${ingest.id}, 'source') returning id`.execute(site.db)
  await site.db
    .updateTable('tasks')
    .set({ waiting_snapshot_id: rows[0]?.id ?? null })
    .where('id', '=', ingest.id)
    .execute()
  const approval = await alarm({ task_id: ingest.id })
  const missing = await alarm({ kind: 'file', task_id: ingest.id })
  const late = await alarm({ kind: 'late', task_type_id: type.id })
  const over = await alarm({ task_id: task.id, over_at: new Date('2100-01-01T00:00:00Z') })
  const byKey = new Map((await listOf(ada)).map((one) => [one.key, one]))
  expect(byKey.get(approval)?.kind).toBe('approval')
  expect(byKey.get(missing)?.kind).toBe('file')
  expect(byKey.get(late)).toMatchObject({ kind: 'late', task: null })
  expect(byKey.get(over)?.over_at).toBe('2100-01-01T00:00:00.000Z')
})

test('what had ended before a task became a favourite, or is older than 30 days, is not listed', async () => {
  const task = await aSyncTask(site.db)
  const day = 86_400_000
  await alarm({
    task_id: task.id,
    began_at: new Date(Date.now() - 2 * day),
    over_at: new Date(Date.now() - day),
  })
  const open = await alarm({ task_id: task.id, began_at: new Date(Date.now() - 2 * day) })
  await alarm({ task_id: task.id, began_at: new Date(Date.now() - 31 * day) })
  await bob.request('PUT', `/api/favourites/${task.id}`, { is_favourite: true })
  expect((await listOf(bob)).map(({ key }) => key)).toEqual([open])
  await bob.request('PUT', `/api/favourites/${task.id}`, { is_favourite: false })
  expect(await listOf(bob)).toEqual([])
})

test('notes that begin to mention a user notify them once, but not of their own words', async () => {
  const carl = await site.signIn('carl@example.com')
  const task = await aSyncTask(site.db, { name: 'With notes' })
  const write = (user: SignedIn, notes: string) =>
    user.request('PUT', `/api/sync_tasks/${task.id}`, { notes })
  await write(ada, 'Ask @carl@example.com before a change.')
  await write(ada, 'Ask @carl@example.com before any change.')
  await write(ada, 'Nobody.')
  await write(carl, 'I, @carl@example.com, know.')
  const list = await listOf(carl)
  expect(list).toMatchObject([
    {
      kind: 'mention',
      title: 'With notes (Target)',
      reason: 'ada@example.com mentioned you in its notes.',
      task: { id: task.id, category: 'sync' },
      is_read: false,
    },
  ])
  await read(carl, [list[0]?.key ?? ''])
  expect(await unreadOf(carl)).toBe(0)
  await read(carl, [list[0]?.key ?? ''], true)
  expect(await unreadOf(carl)).toBe(0)
})

test.each(['alarm', 'alarm 0', 'alarm 99999999999', 'task 1', "alarm 1'"])(
  'the key %j is refused',
  async (key) => {
    const reply = await read(ada, [key])
    expect([reply.statusCode, reply.json().field]).toEqual([400, 'keys.0'])
  },
)

test('at most 500 are listed and counted', async () => {
  await sql`insert into tasks (category, name, sort_order, owner_id)
    select 'source', 'Many ' || n, n, ${adaId}::int from generate_series(1, 1000) n`.execute(site.db)
  await sql`insert into alarms (kind, subject, task_id, title, reason)
    select 'failed', 'many ' || id, id, name, 'Quota' from tasks where name like 'Many %'`.execute(site.db)
  expect((await listOf(ada)).length).toBe(500)
  expect(await unreadOf(ada)).toBe(500)
})
