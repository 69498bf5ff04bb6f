import { beforeAll, beforeEach, expect, test } from 'vitest'
import { type SignedIn, testApp } from '../../../../test/fixtures/app.ts'
import { copyWorld } from '../../../../test/fixtures/copy-world.ts'
import { planOfRun } from '../../../../test/fixtures/previewed.ts'
import { aToken, withToken } from '../../../../test/fixtures/tokens.ts'
import { type Plan, PlanPage, PreviewReply, Versions } from '../../../contract/plans/calls.ts'
import { planServerMessages as messages } from '../../../contract/plans/server-messages.ts'
import { RunReply } from '../../../contract/runs/wait-for-run.ts'
import { limitVersions } from '../../plans/versions.ts'

const world = copyWorld()
let ada: SignedIn
let send: ReturnType<typeof withToken>
beforeAll(async () => {
  const site = await testApp({ database: world.database, handlers: world.handlers })
  ada = await site.signIn()
  send = withToken(site.app, await aToken(ada, 'run'))
})
beforeEach(() => world.faults())

const header = ['SKU', 'Country', 'Stock']
const table = (stock: number) => [
  header,
  ...['DE', 'FR', 'IT'].flatMap((value) => [1, 2, 3].map((n) => [`${value}-${n}`, value, stock])),
]

async function changed() {
  const pair = await world.pair(table(1), [], { split_by: 'Country' })
  await world.run(pair.task)
  await world.write(pair.source, 'Products', table(2))
  return pair
}

async function planOf(path: string): Promise<Plan> {
  const reply = await send('POST', `${path}?wait=60`)
  expect(reply.statusCode, reply.body).toBe(200)
  const { plan } = PreviewReply.parse(reply.json())
  if (!plan) throw new Error('The preview has no plan')
  return plan
}

const apply = (task: number, plan: string) =>
  send('POST', `/api/sync_tasks/${task}/execute?wait=60`, { plan })

test('the rows of all tabs are one list of pages, of which a tab can be chosen', async () => {
  const { task } = await changed()
  const plan = await planOf(`/api/sync_tasks/${task}/preview`)
  const read = async (query: string) =>
    PlanPage.parse((await send('GET', `/api/plans/${plan.hash}/rows?${query}`)).json())
  const seen: [string | null, number | null][] = []
  const positions: number[] = []
  for (let after: number | null = 0; after !== null; ) {
    const page: PlanPage = await read(`limit=2&after=${after}`)
    expect(page.total).toBe(9)
    seen.push(...page.rows.map(({ tab, new_row }) => [tab, new_row] as [string | null, number | null]))
    positions.push(...page.rows.map(({ position }) => position))
    after = page.next
  }
  expect(seen).toEqual(['DE', 'FR', 'IT'].flatMap((tab) => [2, 3, 4].map((row) => [tab, row])))
  expect(positions).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
  expect(await read('tab=FR&limit=2&after=4')).toMatchObject({
    rows: [
      { tab: 'FR', position: 5 },
      { tab: 'FR', position: 6 },
    ],
    total: 3,
    next: null,
  })
  expect(await read('search=it-2')).toMatchObject({ rows: [{ tab: 'IT', position: 8 }], total: 1 })
  expect(await read('tab=XX')).toMatchObject({ rows: [], total: 0, next: null })
  expect(await read('kind=removed')).toMatchObject({ rows: [], total: 0 })
})

test('a plan of several tabs is applied once, and is outdated for all of them', async () => {
  const { target, task } = await changed()
  const plan = await planOf(`/api/sync_tasks/${task}/preview`)
  const other = await planOf(`/api/sync_tasks/${task}/preview`)
  expect(RunReply.parse((await apply(task, plan.hash)).json()).run).toMatchObject({
    state: 'success',
    rows: 9,
  })
  expect((await send('GET', `/api/plans/${plan.hash}`)).json()).toMatchObject({ state: 'applied' })
  expect((await apply(task, plan.hash)).statusCode).toBe(409)
  const outdated = await apply(task, other.hash)
  expect([outdated.statusCode, outdated.json().message]).toEqual([
    409,
    expect.stringContaining('‘DE’ in ‘Web shop’'),
  ])
  expect((await send('GET', `/api/plans/${other.hash}`)).json()).toMatchObject({ state: 'outdated' })
  expect(await world.values(target, 'IT')).toHaveLength(4)
  const listed: Plan[] = (await send('GET', `/api/sync_tasks/${task}/plans`)).json()
  expect(listed.every(({ tabs }) => tabs.length === 3)).toBe(true)
  // Two runs and two previews.
  expect(listed).toHaveLength(4)
})

test('a version of several tabs is kept and forgotten as one, and without its rows cannot be undone', async () => {
  const { target, task } = await changed()
  await world.run(task)
  const versions = async () =>
    Versions.parse((await send('GET', `/api/sync_tasks/${task}/versions`)).json()).versions
  expect(await versions()).toMatchObject([{ rows: 9, cells_changed: 9 }, { rows: 9 }])
  const undo = await planOf(`/api/sync_tasks/${task}/undo`)
  expect((await apply(task, undo.hash)).statusCode).toBe(200)
  expect(await world.values(target, 'FR')).toEqual([header, ...table(1).slice(4, 7)])
  await limitVersions(world.db, { days: 30, per_task: 1, bytes: 1e9 })
  expect(await versions()).toMatchObject([{ rows: 9, restores: { side: 'former' } }])
  await limitVersions(world.db, { days: 30, per_task: 0, bytes: 1e9 })
  expect(await versions()).toEqual([])
  expect((await send('POST', `/api/sync_tasks/${task}/undo`)).statusCode).toBe(409)
})

test('a task that splits no longer cannot restore what its tabs held', async () => {
  const { task } = await changed()
  await world.db.updateTable('sync_tasks').set({ split_by: null }).where('task_id', '=', task).execute()
  const reply = await send('POST', `/api/sync_tasks/${task}/undo`)
  expect([reply.statusCode, reply.json().message]).toEqual([409, messages.version_elsewhere])
})

test('what a run has changed names its tabs, even if it was too large to be summarised at once', async () => {
  const { task } = await changed()
  const { id } = await world.run(task)
  await world.db.updateTable('plans').set({ summary: null }).where('run_id', '=', id).execute()
  const plan = await planOfRun(world.db, id)
  expect(plan.tabs).toMatchObject(
    ['DE', 'FR', 'IT'].map((value) => ({ value, change: 'changed', cells_written: 3, rows: { changed: 3 } })),
  )
  expect(plan.summary).toMatchObject({ rows: { changed: 9 }, cells: { written: 9 } })
})
