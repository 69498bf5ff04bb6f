import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { type SignedIn, testApp } from '../../../../test/fixtures/app.ts'
import { copyWorld, until } from '../../../../test/fixtures/copy-world.ts'
import { aSourceTask, aType } from '../../../../test/fixtures/factories.ts'
import { aToken, withToken } from '../../../../test/fixtures/tokens.ts'
import { limits } from '../../../contract/limits.ts'
import { ApplyPlansReply } from '../../../contract/plans/apply.ts'
import { type PreviewsReply, plans } from '../../../contract/plans/calls.ts'
import { planMessages } from '../../../contract/plans/client-messages.ts'
import { planServerMessages as messages } from '../../../contract/plans/server-messages.ts'

const world = copyWorld()
let ada: SignedIn
let send: ReturnType<typeof withToken>
beforeAll(async () => {
  const site = await testApp({ database: world.database, handlers: world.handlers })
  ada = await site.signIn()
  send = withToken(site.app, await aToken(ada, 'run'))
})
beforeEach(() => world.faults())

const header = ['SKU', 'Stock']
const rows = Array.from({ length: 5 }, (_, n) => [`SKU-${n}`, n])

async function start(body: object): Promise<PreviewsReply> {
  const reply = await send('POST', '/api/previews', body)
  expect(reply.statusCode, reply.body).toBe(200)
  return plans.previewMany.reply.parse(reply.json())
}

const read = async (runs: string) =>
  plans.previews.reply.parse((await send('GET', `/api/previews?runs=${runs}`)).json())

async function ended(runs: string) {
  const isLive = ({ state }: { state: string }) => ['queued', 'running', 'stopping'].includes(state)
  await until(async () => !(await read(runs)).some(isLive))
  return read(runs)
}

test('a token previews a selection, reads all plans with one call, and applies them with another', async () => {
  const [one, other, failing] = [
    await world.pair([header, ...rows]),
    await world.pair([header, ...rows]),
    await world.pair([header, ...rows], [], { source_sheet_name: 'Missing' }),
  ]
  await world.setRetries(failing.task, 0)
  const source = await aSourceTask(world.db)
  const started = await start({ ids: [one.task, other.task, failing.task, source.id, 99_999] })
  expect(started).toMatchObject({
    status: 'warning',
    message: '3 previews queued. 2 tasks skipped.',
    skipped: [source.id, 99_999].map((id) => ({ id, message: messages.no_sync_task })),
  })
  const previews = await ended(started.runs)
  expect(previews.map(({ task, state }) => [task?.id, state])).toEqual([
    [one.task, 'success'],
    [other.task, 'success'],
    [failing.task, 'failed'],
  ])
  expect(previews[2]?.error).toContain('Missing')
  const hashes = previews.flatMap(({ plan }) => plan?.hash ?? [])
  await world.write(other.target, 'Shop', [['Mine']])
  const body = { plans: [...hashes, 'f'.repeat(64)] }
  const applied = ApplyPlansReply.parse((await send('POST', '/api/sync_tasks/apply_plans', body)).json())
  expect(applied).toMatchObject({ status: 'warning', message: '2 runs queued. 1 plan refused.' })
  expect(applied.results.map(({ task_id, status }) => [task_id, status])).toEqual([
    [one.task, 'done'],
    [other.task, 'done'],
    [null, 'refused'],
  ])
  expect((await world.ended(one.task)).receipt?.plan).toBe(hashes[0])
  expect(await world.values(one.target, 'Shop')).toEqual([header, ...rows])
  expect((await world.ended(other.task)).message).toContain('The plan is outdated')
  expect((await read(started.runs)).map(({ plan }) => plan?.state)).toEqual([
    'applied',
    'outdated',
    undefined,
  ])
})

test('the active tasks of a type, of a target spreadsheet, or all are previewed', async () => {
  await sql`update tasks set is_active = false`.execute(world.db)
  const { task, target } = await world.pair([header, ...rows])
  const inactive = await world.pair([header, ...rows])
  await sql`update tasks set is_active = false where id = ${inactive.task}`.execute(world.db)
  const { task_type_id } = await world.db
    .selectFrom('tasks')
    .select('task_type_id')
    .where('id', '=', task)
    .executeTakeFirstOrThrow()
  for (const body of [
    { sync_task_type_id: task_type_id },
    { target_spreadsheet_id: target },
    { all: true },
  ]) {
    const { previews, runs } = await start(body)
    expect(previews.map(({ task_id }) => task_id)).toEqual([task])
    await ended(runs)
  }
  const none = await start({ target_spreadsheet_id: inactive.target })
  expect([none.status, none.message, none.runs]).toEqual(['warning', messages.no_tasks, ''])
})

test('a selection that is none, ambiguous, unknown or too large is refused with the reason', async () => {
  const answer = async (body: object) => {
    const reply = await send('POST', '/api/previews', body)
    return [reply.statusCode, reply.json().message]
  }
  expect(await answer({})).toEqual([400, expect.stringContaining(planMessages.one_selection)])
  expect(await answer({ ids: [1], all: true })).toEqual([
    400,
    expect.stringContaining(planMessages.one_selection),
  ])
  expect((await answer({ sync_task_type_id: 9_999 }))[0]).toBe(404)
  const many = Array.from({ length: limits.previews_max + 1 }, (_, n) => n + 1)
  expect(await answer({ ids: many })).toEqual([
    400,
    expect.stringContaining(planMessages.too_many(limits.previews_max)),
  ])
  const wrong = await send('GET', '/api/previews?runs=9-5')
  expect(wrong.statusCode).toBe(400)
})

test('10,000 tasks are refused with the number that is possible, and none is queued', async () => {
  const type = await aType(world.db)
  await sql`
    with added as (
      insert into tasks (category, name, task_type_id, sort_order)
      select 'sync', 'Many ' || n, ${type.id}, n from generate_series(1, 10000) n returning id
    )
    insert into sync_tasks (task_id, source_type, source_ss_id, target_ss_id, target_sheet_name)
    select id, 'sheet', 'source-' || id, 'target-' || id, 'Shop' from added`.execute(world.db)
  for (const body of [{ all: true }, { sync_task_type_id: type.id }]) {
    const reply = await send('POST', '/api/previews', body)
    expect([reply.statusCode, reply.json().message]).toEqual([
      400,
      expect.stringContaining(planMessages.too_many(limits.previews_max)),
    ])
  }
  const { rows: queued } = await sql`select from runs where task_type_id = ${type.id}`.execute(world.db)
  expect(queued).toEqual([])
  await sql`delete from tasks where task_type_id = ${type.id}`.execute(world.db)
})
