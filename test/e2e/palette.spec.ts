import type { Page } from '@playwright/test'
import { runs } from '../../src/contract/runs/calls.ts'
import { addTask, addType } from './add-task.ts'
import { expect, test } from './app-test.ts'
import { openList, send } from './as-ada.ts'

const press = (page: Page, key: string) => page.keyboard.press(key)
const field = (page: Page) => page.getByRole('combobox', { name: 'Search tasks, types, screens and actions' })
const results = (page: Page) => page.getByRole('listbox', { name: 'Results' })
const active = (page: Page) => results(page).getByRole('option', { selected: true })
const open = async (page: Page) => {
  await press(page, 'ControlOrMeta+k')
  await expect(field(page)).toBeFocused()
}

test.describe('signed in', () => {
  test.beforeEach(async ({ page }) => openList(page))

  test('the palette opens a task, a type and a screen by keyboard alone, and remembers what was opened', async ({
    page,
  }) => {
    const type = await addType(page, 'Palette types')
    const { id } = await addTask(page, type, 'Found by palette', [['SKU']])
    await open(page)
    await page.keyboard.type('FOUND pal')
    const task = page.getByRole('group', { name: 'Tasks' }).getByRole('option')
    await expect(task).toHaveText(/^Found by palette \(Data\)Sync task · Palette types/)
    await expect(active(page)).toHaveText(/^Found by palette/)
    await press(page, 'Enter')
    await expect(page).toHaveURL(`/sync_tasks/${id}`)
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()

    await open(page)
    await expect(page.getByRole('group', { name: 'Recent' }).getByRole('option')).toHaveText([
      /^Found by palette/,
    ])
    await page.keyboard.type('palette types')
    await expect(page.getByRole('group', { name: 'Task types' }).getByRole('option')).toHaveText([
      'Palette typesSync type, 1 task',
    ])
    for (const _ of ['task', 'type']) {
      if ((await active(page).textContent())?.startsWith('Palette types')) break
      await press(page, 'ArrowDown')
    }
    await press(page, 'Enter')
    await expect(page).toHaveURL(`/sync_tasks?type=${type}`)
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()

    await open(page)
    await page.keyboard.type('alarm')
    await expect(active(page)).toHaveText('Settings')
    await press(page, 'Enter')
    await expect(page).toHaveURL('/settings')
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  })

  test('a run from the palette asks first; Escape goes back to the list, Enter runs', async ({ page }) => {
    const { id } = await addTask(page, await addType(page, 'Run by palette'), 'Asked before', [['SKU']])
    await open(page)
    await page.keyboard.type('run asked before')
    await expect(results(page).getByRole('option')).toHaveText([/^Run Asked before/])
    await press(page, 'Enter')
    const question = page.getByRole('dialog', { name: 'Run Asked before (Data) now?' })
    await expect(question.getByRole('button', { name: 'Run' })).toBeFocused()
    await press(page, 'Escape')
    await expect(question).toHaveCount(0)
    await expect(field(page)).toBeFocused()
    await press(page, 'Enter')
    await expect(question.getByRole('button', { name: 'Run' })).toBeFocused()
    const runsOfTask = async () =>
      runs.ofSyncTask.reply.parse(await send(page, 'GET', `/api/sync_tasks/${id}/runs`)).runs
    expect(await runsOfTask()).toHaveLength(0)
    await press(page, 'Enter')
    await expect(page.getByText('Asked before is queued')).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    expect(await runsOfTask()).toHaveLength(1)
  })

  test('actions: switch to dark, add a task', async ({ page }) => {
    await open(page)
    await page.keyboard.type('dark')
    await expect(active(page)).toHaveText('Switch to dark colours')
    await press(page, 'Enter')
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
    await page.goto('/settings')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await open(page)
    await page.keyboard.type('add source task')
    await expect(active(page)).toHaveText('Add source task')
    await press(page, 'Enter')
    await expect(page).toHaveURL('/source_tasks')
    await expect(page.getByRole('dialog', { name: 'Add Source Task' })).toBeVisible()
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Source Tasks', level: 1 })).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })

  test('a text without a match says so; a failed search says so and can be repeated', async ({ page }) => {
    await open(page)
    await page.keyboard.type('xyzzy')
    await expect(page.getByText('Nothing matches “xyzzy”.')).toBeVisible()
    await page.route('**/api/search?*', (route) => route.fulfill({ status: 500, json: {} }))
    await page.keyboard.type(' y')
    await expect(page.getByRole('alert')).toContainText('Tasks and types could not be searched.')
    await page.unroute('**/api/search?*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByText('Nothing matches “xyzzy y”.')).toBeVisible()
  })

  test('only the last text of fast typing is searched, and no list of tasks is loaded', async ({ page }) => {
    await page.goto('/tokens')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    const asked: string[] = []
    page.on('request', (request) =>
      asked.push(new URL(request.url()).pathname + new URL(request.url()).search),
    )
    await open(page)
    await page.keyboard.type('walrus')
    await expect(page.getByText('Nothing matches “walrus”.')).toBeVisible()
    // The page itself may still load its own data.
    const searches = asked.filter((path) => path.startsWith('/api/search'))
    expect(searches.at(-1)).toBe('/api/search?search=walrus')
    expect(asked.filter((path) => /^\/api\/[^?]*(tasks|task_types|configs)\b/.test(path))).toEqual([])
  })

  test('Escape closes the palette and gives the focus back; the button in the header opens it', async ({
    page,
  }) => {
    const button = page.getByRole('banner').getByRole('button', { name: 'Search tasks, screens and actions' })
    await button.click()
    await expect(field(page)).toBeFocused()
    await press(page, 'Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(button).toBeFocused()
  })
})

test('opened while a screen loads, the palette keeps the focus', async ({ page }) => {
  await openList(page)
  const { promise: opened, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/assets/runs-screen-*.js', async (route) => {
    await opened
    await route.continue()
  })
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Runs' }).click()
  await open(page)
  release()
  await expect(page).toHaveURL('/runs')
  await expect(page.locator('h1')).toHaveText('Runs')
  await page.keyboard.type('users')
  await expect(field(page)).toHaveValue('users')
  await press(page, 'Escape')
  await page.unroute('**/assets/runs-screen-*.js')
})

test('signed out, the palette offers public screens and signing in, and searches no tasks', async ({
  page,
}) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await open(page)
  await expect(page.getByRole('group', { name: 'Go to' }).getByRole('option')).toHaveText([
    'Home',
    'Import/Export',
    'Schedule',
    'Developer logs',
  ])
  await expect(page.getByRole('option', { name: /^Add|^Import a/ })).toHaveCount(0)
  await page.keyboard.type('prices')
  await expect(page.getByText('Sign in to search tasks and types.')).toBeVisible()
  expect(asked.filter((url) => url.includes('/api/search'))).toEqual([])
})
