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

/** Adds a source type, a compiler type and a sync type with a common name prefix, each depending on the previous one. */
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

test('the graph shows the pipeline from left to right; a group run from it changes its colour', async ({
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

test('a group with waiting tasks is stopped from the graph; a failure is shown', async ({ page, db }) => {
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

test('the graph is navigated by keyboard as a list, kept in the address; a stored cycle is reported', async ({
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
  // exactly one item of the tree is in the tab order
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

test('a graph without types shows a message, and is polled without an event stream', async ({ page }) => {
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

test('the graph has a minimum height in a low window', async ({ page, db }) => {
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

test('300 types are folded into groups, which a click or Enter unfolds; the search finds a type in a group, and nothing is behind the buttons', async ({
  page,
}) => {
  await signIn(page)
  const type = (id: number, task_category: 'source' | 'compiler' | 'sync', failed = 0) => ({
    // No id of a stored type, whose states the event stream sends.
    id: id + 100_000,
    name: `${{ source: 'Prices', compiler: 'Catalogue', sync: 'Shop' }[task_category]} ${id}`,
    task_category,
    is_active: true,
    counts: { ...noTasks, failed, success: 2 },
    ahead: [],
    unmet: [],
    queue: [],
  })
  const chains = Array.from({ length: 100 }, (_, n) => 3 * n + 1)
  await page.route('**/api/unified_task_types/graph', (route) =>
    route.fulfill({
      json: {
        nodes: chains.flatMap((id) => [
          type(id, 'source', id === 4 ? 1 : 0),
          type(id + 1, 'compiler'),
          type(id + 2, 'sync'),
        ]),
        edges: chains.flatMap((id) => [
          { from: id + 100_000, to: id + 100_001, condition: 'success' },
          { from: id + 100_001, to: id + 100_002, condition: 'success' },
        ]),
        cycles: [],
      },
    }),
  )
  await page.goto('/unified-task-types?graph=picture')
  const dialog = page.getByRole('dialog', { name: 'Dependency Graph' })
  const cards = dialog.locator('button[data-type]')
  await expect(cards).toHaveCount(3)
  const prices = dialog.getByRole('button', { name: /^Prices 1 and 99 more, Source/ })
  await expect(prices).toHaveAccessibleName(/1 Failed · 200 Success, .*group of 100 types, unfolds$/)
  await findsNothing(page, 'the folded dependency graph')

  const search = dialog.getByRole('searchbox', { name: 'Find a type' })
  await search.fill('shop 15')
  await expect(dialog.getByText('1 of 5')).toBeVisible()
  await expect(cards).toHaveCount(102)
  const found = dialog.getByRole('button', { name: /^Shop 15,/ })
  await expect(found).toHaveAttribute('aria-pressed', 'true')
  await expect(found).toBeInViewport({ ratio: 1 })
  await search.press('Enter')
  await expect(dialog.getByText('2 of 5')).toBeVisible()
  await expect(dialog.getByRole('button', { name: /^Shop 150,/ })).toHaveAttribute('aria-pressed', 'true')
  await search.press('Shift+Enter')
  await expect(found).toHaveAttribute('aria-pressed', 'true')
  await search.fill('nothing like it')
  await expect(dialog.getByText('No type matches.')).toBeVisible()

  await dialog.getByRole('button', { name: 'Fold groups' }).click()
  await expect(cards).toHaveCount(3)
  await goTo(page, cards.first(), 'Tab')
  await page.keyboard.press('Enter')
  await expect(cards).toHaveCount(102)

  for (const size of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(size)
    await dialog.getByRole('button', { name: 'Fit to window' }).click()
    const bar = await dialog.getByRole('button', { name: 'Fit to window' }).boundingBox()
    const picture = await dialog.locator('.react-flow').boundingBox()
    expect((bar?.y ?? 0) + (bar?.height ?? 0)).toBeLessThanOrEqual(picture?.y ?? 0)
  }
})

test('the names of a chain and ten types beside it can be read on a phone', async ({ page }) => {
  await signIn(page)
  const FIRST = 300_000
  const type = (at: number, task_category: 'source' | 'sync') => ({
    ...{ id: FIRST + at, name: `Type ${at}`, task_category, is_active: true },
    ...{ counts: noTasks, ahead: [], unmet: [], queue: [] },
  })
  const nodes = [type(0, 'source'), ...Array.from({ length: 11 }, (_, n) => type(n + 1, 'sync'))]
  const edges = [{ from: FIRST, to: FIRST + 1, condition: 'success' }]
  await page.route('**/api/unified_task_types/graph', (route) =>
    route.fulfill({ json: { nodes, edges, cycles: [] } }),
  )
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/unified-task-types?graph=picture')
  const cards = page.getByRole('dialog', { name: 'Dependency Graph' }).locator('button[data-type]')
  await expect(cards).toHaveCount(12)
  // Its letters, 20 pixels high in the picture, are at least 10 on the screen.
  const box = await cards.first().boundingBox()
  expect(box?.width).toBeGreaterThanOrEqual(88)
  await expect(cards.first()).toBeInViewport({ ratio: 0.99 })
})

test('three chains of 100 types are nine cards that can be read on both widths; a press, Enter or the search unfolds a chain, also in the list', async ({
  page,
}) => {
  test.slow()
  await signIn(page)
  const FIRST = 200_000
  const chains = ['North', 'South', 'West'].map((name, chain) =>
    Array.from({ length: 100 }, (_, at) => ({
      id: FIRST + 1000 * chain + at,
      name: `${name} ${at + 1}`,
      task_category: 'sync',
      is_active: true,
      counts: { ...noTasks, failed: at === 41 ? 1 : 0, success: 1 },
      ahead: [],
      unmet: [],
      queue: [],
    })),
  )
  const edges = chains.flatMap((types) =>
    types.slice(1).map(({ id }) => ({ from: id - 1, to: id, condition: 'success' })),
  )
  await page.route('**/api/unified_task_types/graph', (route) =>
    route.fulfill({ json: { nodes: chains.flat(), edges, cycles: [] } }),
  )
  const dialog = page.getByRole('dialog', { name: 'Dependency Graph' })
  const cards = dialog.locator('button[data-type]')
  const middle = (name: string) =>
    dialog.getByRole('button', { name: `98 types from ${name} 2 to ${name} 99, Sync` })
  for (const size of [
    { width: 390, height: 844 },
    { width: 1440, height: 900 },
  ]) {
    await page.setViewportSize(size)
    await page.goto('/unified-task-types?graph=picture')
    await expect(cards).toHaveCount(9)
    await expect(middle('South')).toHaveAccessibleName(
      /1 Failed · 98 Success, 1 dependent type, group of 98 types, unfolds$/,
    )
    // All of it is visible, and its letters, 20 pixels high in the picture, are at least 10 on the screen.
    for (const card of await cards.all()) await expect(card).toBeInViewport({ ratio: 0.99 })
    const box = await middle('South').boundingBox()
    expect(box?.width, `${size.width} x ${size.height}`).toBeGreaterThanOrEqual(88)
    await findsNothing(page, `three folded chains at ${size.width} pixels`)
  }

  await middle('South').click()
  await expect(cards).toHaveCount(98 + 8)
  await expect(dialog.getByRole('region', { name: 'South 2' })).toContainText('Runs after')
  const second = dialog.getByRole('button', { name: /^South 2,/ })
  await expect(second).toBeInViewport({ ratio: 0.99 })
  await expect(second).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(dialog.getByRole('button', { name: /^South 3,/ })).toBeFocused()
  const foldAll = dialog.getByRole('button', { name: 'Fold groups' })
  await foldAll.press('Enter')
  await expect(cards).toHaveCount(9)
  await expect(foldAll).toBeFocused()
  await expect(foldAll).toHaveAttribute('aria-disabled', 'true')

  await goTo(page, cards.first(), 'Tab')
  await goTo(page, middle('North'), 'ArrowRight')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('button', { name: /^North 2,/ })).toBeFocused()
  await dialog.getByRole('searchbox', { name: 'Find a type' }).fill('West 42')
  await expect(dialog.getByRole('button', { name: /^West 42,/ })).toBeInViewport({ ratio: 0.99 })
  await expect(cards).toHaveCount(2 * 98 + 7)
  await foldAll.click()

  await page.setViewportSize({ width: 390, height: 844 })
  await dialog.getByText('List', { exact: true }).click()
  const lines = dialog.getByRole('treeitem')
  await expect(lines).toHaveCount(9)
  const folded = lines.filter({ hasText: '98 types from West 2 to West 99' })
  await expect(folded).toHaveAttribute('aria-level', '2')
  await folded.press('Enter')
  await expect(lines).toHaveCount(98 + 8)
  await expect(lines.filter({ hasText: /West 2(?!\d)/ })).toBeFocused()
  await page.keyboard.press('End')
  const last = lines.filter({ hasText: 'West 100' })
  await expect(last).toBeFocused()
  await expect(last).toHaveAttribute('aria-level', '100')
  // The deepest line leaves room for its name.
  const name = await last.getByText('West 100').boundingBox()
  expect(name?.x).toBeLessThan(220)
  await findsNothing(page, 'a chain unfolded in the list')
})
