import { beforeAll, beforeEach, expect, test } from 'vitest'
import { type SignedIn, testApp } from '../../../../test/fixtures/app.ts'
import { copyWorld } from '../../../../test/fixtures/copy-world.ts'
import { aToken, withToken } from '../../../../test/fixtures/tokens.ts'
import { type Plan, PlanPage, PreviewReply, plans } from '../../../contract/plans/calls.ts'
import { planServerMessages as messages } from '../../../contract/plans/server-messages.ts'
import { RunReply } from '../../../contract/runs/wait-for-run.ts'

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
const rows = Array.from({ length: 25 }, (_, n) => [`SKU-${n}`, n])

async function preview(task: number): Promise<Plan> {
  const reply = await send('POST', `/api/sync_tasks/${task}/preview?wait=60`)
  expect(reply.statusCode, reply.body).toBe(200)
  const { plan } = PreviewReply.parse(reply.json())
  if (!plan) throw new Error('The preview has no plan')
  return plan
}

const apply = (task: number, plan: string, query = '?wait=60') =>
  send('POST', `/api/sync_tasks/${task}/execute${query}`, { plan })

test('a token with the right to run previews a task, reads the plan and applies it', async () => {
  const { target, task } = await world.pair([header, ...rows])
  const plan = await preview(task)
  expect(plan).toMatchObject({ task_id: task, state: 'open', summary: { rows: { added: 25 } } })
  const read = await send('GET', `/api/plans/${plan.hash}`)
  expect(plans.get.reply.parse(read.json())).toEqual(plan)
  const page = PlanPage.parse((await send('GET', `/api/plans/${plan.hash}/rows?limit=10`)).json())
  expect([page.total, page.rows.length, page.next]).toEqual([25, 10, 10])
  const { run } = RunReply.parse((await apply(task, plan.hash)).json())
  expect(run).toMatchObject({ state: 'success', rows: 25 })
  expect((await send('GET', `/api/plans/${plan.hash}`)).json()).toMatchObject({
    state: 'applied',
    applied_by: { run_id: run?.id, state: 'success' },
  })
  expect(await world.values(target, 'Shop')).toEqual([header, ...rows])
})

test('what a past run changed is shown in the same way', async () => {
  const { source, task } = await world.pair([header, ...rows])
  await world.run(task)
  await world.clear(source, 'Products')
  await world.write(source, 'Products', [header, ...rows.slice(0, 24)])
  const { id } = await world.run(task)
  const reply = await send('GET', `/api/runs/${id}/plan`)
  expect(reply.json()).toMatchObject({
    state: 'applied',
    expires_at: null,
    summary: { rows: { removed: 1 } },
  })
  const listed = (await send('GET', `/api/sync_tasks/${task}/plans`)).json()
  expect(listed.map(({ run_id }: Plan) => run_id)).toContain(id)
})

test('rows are found by kind and by the text of their cells', async () => {
  const { source, task } = await world.pair([header, ...rows])
  await world.run(task)
  await world.write(source, 'Products', [header, ['Other', 0], ['SKU-1', 'x%y']])
  const { hash } = await preview(task)
  const found = async (query: string) =>
    PlanPage.parse((await send('GET', `/api/plans/${hash}/rows?${query}`)).json()).rows
  expect(await found('search=X%25')).toMatchObject([{ kind: 'changed', new_cells: ['SKU-1', 'x%y'] }])
  expect((await found('kind=changed')).map(({ new_row }) => new_row)).toEqual([2, 3])
  expect(await found('kind=moved')).toEqual([])
})

test('an unknown plan is 404, that of another task 409, an expired one 410, an outdated one 409', async () => {
  const { task } = await world.pair([header, ...rows])
  const { task: other, target } = await world.pair([header, ...rows])
  const plan = await preview(task)
  const answer = async (id: number, hash: string) => {
    const { statusCode, json } = await apply(id, hash)
    return [statusCode, json().message]
  }
  expect(await answer(task, 'f'.repeat(64))).toEqual([404, messages.plan_not_found])
  expect(await answer(other, plan.hash)).toEqual([409, messages.plan_of_other_task])
  await world.db
    .updateTable('plans')
    .set({ expires_at: new Date(0) })
    .where('hash', '=', plan.hash)
    .execute()
  expect(await answer(task, plan.hash)).toEqual([410, messages.plan_expired])

  const outdated = await preview(other)
  await world.write(target, 'Shop', [['Mine']])
  expect(await answer(other, outdated.hash)).toEqual([
    409,
    expect.stringMatching(/^The plan is outdated: 1 cell/),
  ])
  expect(await answer(other, outdated.hash)).toEqual([409, messages.plan_outdated])
  expect(await world.values(target, 'Shop')).toEqual([['Mine']])
})

test('without a wait, an outdated plan is queued as any run: 200, and the run fails without writing', async () => {
  const { task, target } = await world.pair([header, ...rows])
  const { hash } = await preview(task)
  await world.write(target, 'Shop', [['Mine']])
  const reply = await apply(task, hash, '')
  expect([reply.statusCode, reply.json().status]).toEqual([200, 'success'])
  const run = await world.ended(task)
  expect(run).toMatchObject({
    state: 'failed',
    message: expect.stringMatching(/^The plan is outdated: 1 cell/),
  })
  expect(run.requests.write).toBe(0)
})

test('a plan that was written is not written again, and its task stays as it is', async () => {
  const { task } = await world.pair([header, ...rows])
  const { hash } = await preview(task)
  expect((await apply(task, hash)).statusCode).toBe(200)
  const again = await apply(task, hash)
  expect([again.statusCode, again.json().message]).toEqual([409, messages.plan_applied])
  expect((await world.ended(task)).state).toBe('success')
})

test('a plan whose chosen columns or filter have changed by now is outdated', async () => {
  const { task } = await world.pair([header, ...rows])
  const { hash } = await preview(task)
  const columns = JSON.stringify([{ source: 'SKU', name: 'SKU' }])
  await world.db.updateTable('sync_tasks').set({ columns }).where('task_id', '=', task).execute()
  const reply = await apply(task, hash)
  expect([reply.statusCode, reply.json().message]).toEqual([409, messages.outdated_settings])
})

test('a plan whose task writes elsewhere by now is outdated', async () => {
  const { task } = await world.pair([header, ...rows])
  const { hash } = await preview(task)
  await world.db.updateTable('sync_tasks').set({ start_row: 3 }).where('task_id', '=', task).execute()
  const reply = await apply(task, hash)
  expect([reply.statusCode, reply.json().message]).toEqual([409, messages.outdated_settings])
})

test('a plan is not reported as applied when another run was live', async () => {
  const { source, task } = await world.pair([header, ...rows])
  const { hash } = await preview(task)
  await world.slowReads(source)
  await world.start(task)
  const reply = await apply(task, hash)
  expect(reply.statusCode).toBe(409)
  expect((await world.ended(task)).receipt?.plan).toBeUndefined()
})

test('two previews at once are one, and an inactive task can be previewed', async () => {
  const { task } = await world.pair([header, ...rows])
  await world.db.updateTable('tasks').set({ is_active: false }).where('id', '=', task).execute()
  const [one, other] = await Promise.all([preview(task), preview(task)])
  expect(one.hash).toBe(other.hash)
})

test('of a task, the plans of the last ten previews are kept', async () => {
  const { task } = await world.pair([header, ...rows.slice(0, 2)])
  const first = await preview(task)
  for (let n = 0; n < 10; n += 1) await preview(task)
  const reply = await send('GET', `/api/plans/${first.hash}`)
  expect(reply.json().state).toBe('expired')
})
