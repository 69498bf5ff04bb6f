import type { Locator, Page } from '@playwright/test'
import { syncTaskTypes } from '../../src/contract/task-types/calls.ts'
import { addTask, addType } from './add-task.ts'
import { expect, test } from './app-test.ts'
import { send, signIn } from './as-ada.ts'
import { pickUp } from './by-keyboard.ts'

/** A name in the list, before the tasks of the type. */
const startsWith = (name: string) => new RegExp(`^${name}`)

test.beforeEach(async ({ page }) => signIn(page))

test('a type with tasks is not deleted, and the dialog shows the reason', async ({ page }) => {
  await addTask(page, await addType(page, 'In use'), 'User of the type', [['SKU']])
  await page.goto('/sync_task_types')
  await page.getByRole('button', { name: 'Delete In use' }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm Deletion' })
  await expect(dialog).toContainText('Are you sure you want to delete the task type "In use"?')
  await expect(dialog).toContainText('This type has 1 tasks associated with it.')
  await expect(dialog.getByRole('button', { name: 'Delete' })).toBeDisabled()
})

test('up to a hundred types are all rendered, so that browser search finds them; of more only visible ones', async ({
  page,
}) => {
  await addType(page, 'Long list')
  const [example] = syncTaskTypes.list.reply.parse(await send(page, 'GET', '/api/sync_task_types'))
  const types = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      ...example,
      id: index + 1,
      name: `Long list ${index + 1}`,
    }))
  let count = 100
  const answer = Promise.withResolvers<void>()
  await page.route('**/api/sync_task_types', async (route) => {
    await answer.promise
    await route.fulfill({ json: types(count) })
  })
  await page.goto('/sync_task_types')
  await expect(page.getByRole('status', { name: 'Loading sync task types' })).toBeVisible()
  answer.resolve()
  await expect(page.getByRole('button', { name: 'Edit Long list 100', exact: true })).toBeAttached()
  count = 101
  await page.reload()
  await expect(page.getByRole('button', { name: 'Edit Long list 1', exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Edit Long list 101', exact: true })).toHaveCount(0)
})

test('a changed chunk size changes all tasks of the type, with their number', async ({ page }) => {
  await addTask(page, await addType(page, 'Chunky'), 'Chunky task', [['SKU']])
  await page.goto('/sync_task_types')
  await page.getByRole('button', { name: 'Edit Chunky' }).click()
  await page.getByRole('textbox', { name: 'Chunk Size' }).fill('750')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('1 sync tasks were updated with new chunk size')).toBeVisible()
  await expect(page.getByRole('row', { name: /Chunky/ })).toContainText('750')
})

test('a type changed by another editor is reloaded, and the input is kept', async ({ page }) => {
  const id = await addType(page, 'Contested')
  await page.goto('/sync_task_types')
  await page.getByRole('button', { name: 'Add Type' }).click()
  await expect(page.getByRole('dialog', { name: 'Add Sync Task Type' }).locator('label')).toHaveText([
    'Type Name *',
    'Allowed Concurrent Tasks',
    'Depends On',
    'Queue Delay (seconds)',
    'Max Retries',
    'Retry Delay (seconds)',
    'Chunk Size',
  ])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Edit Contested' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Sync Task Type' })
  await dialog.getByRole('textbox', { name: 'Max Retries' }).fill('7')
  await send(page, 'PUT', `/api/sync_task_types/${id}`, { queue_delay_seconds: 11 })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByRole('button', { name: 'Load again' }).click()
  await expect(dialog.getByRole('textbox', { name: 'Type Name' })).toBeFocused()
  await expect(dialog.getByRole('textbox', { name: 'Queue Delay' })).toHaveValue('11')
  await expect(dialog.getByRole('textbox', { name: 'Max Retries' })).toHaveValue('7')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Task type updated successfully')).toBeVisible()
})

test('a cycle of types is refused by the form and, if it was created meanwhile, by the server', async ({
  page,
}) => {
  const first = await addType(page, 'Circle A')
  const second = await addType(page, 'Circle B')
  await page.goto('/sync_task_types')
  const chooseB = async () => {
    await page.getByRole('button', { name: 'Edit Circle A' }).click()
    await page.getByRole('combobox', { name: 'Depends On' }).fill('Circle')
    await expect(page.getByRole('option', { name: 'Circle A' })).toHaveCount(0)
    await page.getByRole('option', { name: 'Circle B' }).click()
  }
  await chooseB()
  await send(page, 'PUT', `/api/sync_task_types/${second}`, { depends_on_id: first })
  const save = page.getByRole('button', { name: 'Save' })
  await save.click()
  const refusal = 'Circular dependency detected. Please select a different dependency.'
  await expect(page.getByRole('dialog').getByRole('alert')).toHaveText(refusal)
  await expect(save).toBeDisabled()
  await page.reload()
  await expect(page.getByRole('row', { name: /Circle B/ })).toContainText('Circle A')
  await chooseB()
  await save.click()
  await expect(page.getByText(refusal)).toBeVisible()
  await expect(save).toBeDisabled()
})

test('rows are moved by pointer and by keyboard with announcements; a refused order is reverted', async ({
  page,
}) => {
  const names = ['Moved A', 'Moved B', 'Moved C']
  for (const name of names) await addType(page, name)
  const rows = page.getByRole('row', { name: /Moved/ }).getByRole('rowheader')
  const handle = (name: string) => page.getByRole('button', { name: `Move ${name}`, exact: true })
  await page.goto('/sync_task_types')
  await expect(rows).toHaveText(names.map(startsWith))
  await expect(page.getByRole('table', { name: 'Sync task types' }).getByRole('columnheader')).toHaveText([
    'Name',
    'Dependency Chain',
    'Concurrent',
    'Queue Delay (s)',
    'Max Retries',
    'Retry Delay (s)',
    'Chunk Size',
    'Actions',
  ])
  // hovering may scroll, so the other positions are read afterwards
  await handle('Moved C').hover()
  const target = await handle('Moved A').boundingBox()
  await page.mouse.down()
  await page.mouse.move((target?.x ?? 0) + 8, (target?.y ?? 0) + 8, { steps: 8 })
  await expect(page.getByText(/^Moved C is number \d+ of \d+ now\.$/)).toBeAttached()
  await page.mouse.up()
  await expect(page.getByText('Order updated')).toBeVisible()
  await expect(rows).toHaveText(['Moved C', 'Moved A', 'Moved B'].map(startsWith))

  const moveUp = async (name: string) => {
    await pickUp(page, handle(name), new RegExp(`^${name} is picked up, number`))
    await page.keyboard.press('ArrowUp')
    await expect(page.getByText(new RegExp(`^${name} is number`))).toBeAttached()
    await page.keyboard.press('Space')
  }
  const saved = page.waitForResponse('**/api/sync_task_types/order')
  await moveUp('Moved B')
  await expect(rows).toHaveText(['Moved C', 'Moved B', 'Moved A'].map(startsWith))
  await expect(handle('Moved B')).toBeFocused()
  await saved
  await page.reload()
  await expect(rows).toHaveText(['Moved C', 'Moved B', 'Moved A'].map(startsWith))

  await page.route('**/api/sync_task_types/order', (route) => route.fulfill({ status: 500, json: {} }))
  await moveUp('Moved A')
  await expect(page.getByText('Failed to update order')).toBeVisible()
  await expect(rows).toHaveText(['Moved C', 'Moved B', 'Moved A'].map(startsWith))
  await page.unroute('**/api/sync_task_types/order')
  await addType(page, 'Moved D')
  await moveUp('Moved A')
  await expect(page.getByText('Task types were added or deleted meanwhile.')).toBeVisible()
  await expect(rows).toHaveText(['Moved C', 'Moved B', 'Moved A', 'Moved D'].map(startsWith))
})

test.describe('on a phone', () => {
  test.use({ hasTouch: true, viewport: { width: 390, height: 844 } })

  const screens = [
    { path: '/sync_task_types', api: '/api/sync_task_types', begin: async () => {} },
    {
      path: '/source-task-types',
      api: '/api/source_task_types',
      begin: (page: Page) => page.getByRole('switch', { name: 'Reorder Mode: Off' }).click(),
    },
  ]
  for (const { path, api, begin } of screens)
    test(`rows of ${path} are moved by touch at their handles; a finger anywhere else scrolls`, async ({
      page,
    }) => {
      const names = ['Touched A', 'Touched B', 'Touched C', 'Touched D']
      for (const name of names) await send(page, 'POST', api, { name })
      const rows = page.getByRole('row', { name: /Touched/ }).getByRole('rowheader')
      const handle = (name: string) => page.getByRole('button', { name: `Move ${name}`, exact: true })
      await page.goto(path)
      await begin(page)
      await expect(rows).toHaveText(names.map(startsWith))
      // on a phone the rows are cards with gaps between them
      const [upper, lower] = [await middleOf(handle('Touched A')), await middleOf(handle('Touched B'))]
      expect(lower.y - upper.y).toBeGreaterThan(150)

      await handle('Touched B').evaluate((element) => element.scrollIntoView({ block: 'center' }))
      const finger = await fingerOn(page, handle('Touched B'))
      const above = await middleOf(handle('Touched A'))
      await finger.move(0, above.y - finger.y)
      await expect(page.getByText(/^Touched B is number \d+ of \d+ now\.$/)).toBeAttached()
      await finger.lift()
      await expect(page.getByText('Order updated')).toBeVisible()
      await expect(rows).toHaveText(['Touched B', 'Touched A', 'Touched C', 'Touched D'].map(startsWith))

      const before = await page.evaluate(() => window.scrollY)
      const scroller = await fingerOn(page, page.getByRole('rowheader', { name: 'Touched A' }))
      await scroller.move(0, before > 0 ? 120 : -120)
      await expect.poll(() => page.evaluate(() => window.scrollY)).not.toBe(before)
      await scroller.lift()
      await page.reload()
      await begin(page)
      await expect(rows).toHaveText(['Touched B', 'Touched A', 'Touched C', 'Touched D'].map(startsWith))
    })
})

async function middleOf(target: Locator): Promise<{ x: number; y: number }> {
  const box = await target.boundingBox()
  if (box === null) throw new Error(`${target} is not on the page`)
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

/** Starts a touch, which the browser treats as a scroll unless the page prevents it. */
async function fingerOn(page: Page, target: Locator) {
  const devtools = await page.context().newCDPSession(page)
  const { x, y } = await middleOf(target)
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: { x: number; y: number }[]) =>
    devtools.send('Input.dispatchTouchEvent', { type, touchPoints })
  await send('touchStart', [{ x, y }])
  return {
    y,
    move: async (dx: number, dy: number, steps = 10) => {
      for (let step = 1; step <= steps; step += 1)
        await send('touchMove', [{ x: x + (dx * step) / steps, y: y + (dy * step) / steps }])
    },
    lift: () => send('touchEnd', []),
  }
}
