import type { Page } from '@playwright/test'
import type { Kysely } from 'kysely'
import { noTasks } from '../../src/contract/type-graph/calls.ts'
import type { Database } from '../../src/server/platform/schema.ts'
import { aRun, aSourceTask, aType } from '../fixtures/factories.ts'
import { addTask, addType } from './add-task.ts'
import { expect, test } from './app-test.ts'
import { signIn } from './as-ada.ts'
import { findsNothing } from './axe.ts'
import { goTo } from './by-keyboard.ts'

/** A type of sources, one that compiles and one of sync tasks, each waiting for the one before it. Their names begin alike. */
async function aPipeline(page: Page, db: Kysely<Database>, name: string) {
  const sync = await addType(page, `${name} shops`)
  const { id: source } = await aType(db, { category: 'source', name: `${name} prices` })
  const { id: compiler } = await aType(db, { category: 'compiler', name: `${name} catalogue` })
  const depend = (task_type_id: number, depends_on_id: number, condition: 'success' | 'completion') =>
    db
      .insertInto('task_type_dependencies')
      .values({ task_type_id, depends_on_id, condition, position: 0 })
      .execute()
  await depend(compiler, source, 'completion')
  await depend(sync, compiler, 'success')
  return { source, compiler, sync, depend }
}

test('the graph shows the pipeline from left to right; a group that is run from it changes its colour', async ({
  page,
  db,
}) => {
  await signIn(page)
  const { sync } = await aPipeline(page, db, 'Graph')
  await addTask(page, sync, 'Graph shop', [['SKU'], ['007']])
  await page.goto('/sync_task_types')
  await page.getByRole('button', { name: 'Graph', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Dependency Graph' })
  const card = (name: string) => dialog.getByRole('button', { name: new RegExp(`^${name},`) })
  await expect(card('Graph prices')).toHaveAccessibleName('Graph prices, Source, No tasks, 1 dependent type')
  await expect(card('Graph shops')).toHaveAccessibleName('Graph shops, Sync, 1 Pending')
  const left = async (name: string) => (await card(name).boundingBox())?.x ?? Number.NaN
  expect(await left('Graph prices')).toBeLessThan(await left('Graph catalogue'))
  expect(await left('Graph catalogue')).toBeLessThan(await left('Graph shops'))

  await card('Graph shops').click()
  const panel = dialog.getByRole('region', { name: 'Graph shops' })
  await expect(panel).toContainText('Nothing stands in the way of its runs.')
  await expect(card('Graph shops')).toHaveAttribute('aria-pressed', 'true')
  const run = panel.getByRole('button', { name: 'Run Group Graph shops' })
  const stop = panel.getByRole('button', { name: 'Stop Group Graph shops' })
  await expect(stop).toBeDisabled()
  await page.route('**/run_group', (route) => route.fulfill({ status: 502, body: '' }))
  await run.click()
  await expect(page.getByText('Failed to run task group')).toBeVisible()
  await page.unroute('**/run_group')
  await run.click()
  await expect(page.getByText('Queued 1 task.')).toBeVisible()
  await expect(card('Graph shops')).toHaveAttribute('data-tone', 'success')
  await expect(card('Graph shops')).toHaveAccessibleName('Graph shops, Sync, 1 Success')
  await goTo(page, card('Graph shops'), 'Shift+Tab')
  await page.keyboard.press('ArrowLeft')
  await expect(card('Graph catalogue')).toBeFocused()
  await findsNothing(page, 'the dependency graph')
})

test('a group whose tasks wait is stopped from the graph; what hinders that is told', async ({
  page,
  db,
}) => {
  await signIn(page)
  const type = await aType(db, { category: 'source', name: 'Stoppable' })
  const task = await aSourceTask(db, { task_type_id: type.id })
  const not_before = new Date(Date.now() + 3_600_000)
  await aRun(db, task.id, { category: 'source', task_type_id: type.id, not_before })
  await page.goto('/source-task-types?graph=picture')
  await page.getByRole('button', { name: /^Stoppable, Source, 1 Queued/ }).click()
  const stop = page.getByRole('button', { name: 'Stop Group Stoppable' })
  await page.route('**/stop_group', (route) => route.fulfill({ status: 502, body: '' }))
  await stop.click()
  await expect(page.getByText('Failed to stop task group')).toBeVisible()
  await page.unroute('**/stop_group')
  await stop.click()
  await expect(page.getByRole('button', { name: /^Stoppable, Source, 1 Stopped/ })).toBeVisible()
  await expect(stop).toBeDisabled()
})

test('the graph is walked by keyboard as a list, which the address keeps; a circle behind the server’s back is told', async ({
  page,
  db,
}) => {
  test.slow()
  await signIn(page)
  const { source, sync, depend } = await aPipeline(page, db, 'Tree')
  await page.goto('/sync_task_types?graph=picture')
  const dialog = page.getByRole('dialog', { name: 'Dependency Graph' })
  const line = (name: string) => dialog.getByRole('treeitem', { name })
  await goTo(page, dialog.getByRole('radio', { name: 'Picture' }))
  await page.keyboard.press('ArrowRight')
  await expect(line('Tree shops')).toHaveAttribute('aria-level', '3')
  // one line of the tree is on the way of Tab
  await goTo(page, dialog.locator('[role=treeitem][tabindex="0"]'))
  await page.keyboard.press('End')
  await goTo(page, line('Tree prices'), 'ArrowUp')
  await page.keyboard.press('ArrowLeft')
  await expect(line('Tree catalogue')).toHaveCount(0)
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  const panel = dialog.getByRole('region', { name: 'Tree catalogue' })
  await expect(panel).toContainText('Must complete (any status)')

  await depend(source, sync, 'success')
  await page.reload()
  const warning = dialog.getByRole('alert')
  await expect(warning).toContainText('Cycle(s) detected (graph may be incomplete):')
  await expect(warning).toContainText('Tree catalogue → Tree shops → Tree prices → Tree catalogue')
  await expect(dialog.getByRole('tree')).toBeVisible()
  await findsNothing(page, 'the dependency graph as a list')
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/sync_task_types$/)
  await db.deleteFrom('task_type_dependencies').where('task_type_id', '=', source).execute()
})

test('a graph without types says so, and asks again where there is no event stream', async ({ page }) => {
  const type = {
    id: 1,
    name: 'Arrived',
    task_category: 'sync',
    is_active: true,
    counts: noTasks,
    ahead: [],
    unmet: [],
    queue: [],
  }
  const nodes: object[] = []
  await page.route('**/api/events?of=types', (route) => route.abort())
  await page.route('**/unified_task_types/graph', (route) =>
    route.fulfill({ json: { nodes, edges: [], cycles: [] } }),
  )
  await signIn(page)
  await page.clock.install()
  await page.goto('/sync_task_types?graph=list')
  const dialog = page.getByRole('dialog', { name: 'Dependency Graph' })
  await expect(dialog).toContainText('No task types available.')
  nodes.push(type)
  await page.clock.fastForward(12_500)
  await expect(dialog.getByRole('treeitem', { name: 'Arrived' })).toBeVisible()
})

test('the picture has a height on a low window', async ({ page, db }) => {
  await signIn(page)
  await aPipeline(page, db, 'Low')
  for (const size of [
    { width: 720, height: 450 },
    { width: 1440, height: 450 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(size)
    await page.goto('/sync_task_types')
    await page.getByRole('button', { name: 'Graph', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Dependency Graph' })
    const card = dialog.getByRole('button', { name: /^Low prices,/ })
    await expect(card).toBeAttached()
    const height = await dialog.locator('.react-flow').evaluate((one) => one.clientHeight)
    expect(height, `${size.width} x ${size.height}`).toBeGreaterThanOrEqual(150)
  }
})
