import { syncTaskTypes } from '../../src/contract/task-types/calls.ts'
import { expect, test } from './app-test.ts'
import { openList, send } from './as-ada.ts'

test('the landing page shows a hero titled with a version number, its subtitle, and two cards', async ({
  page,
}) => {
  await page.goto('/')
  await expect(page).toHaveTitle('Rowferry')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Rowferry\s+v\d+\.\d+\.\d+$/)
  const main = page.getByRole('main')
  await expect(main).toContainText('Sync All Your SpreadSheets Data.')
  const card = (name: string) => main.getByRole('link', { name })
  await expect(card('Sync Tasks Browse and manage your sync tasks.')).toHaveAttribute('href', '/sync_tasks')
  await expect(card('View Users View the team members.')).toHaveAttribute('href', '/users')
})

test('a host name that contains "turbo" shows another logo and a red "Turbo" in title and hero', async ({
  page,
  baseURL,
}) => {
  await page.goto('/')
  const mark = page.getByRole('banner').locator('svg').first()
  const plain = await mark.innerHTML()
  await expect(page.getByText('Turbo')).toHaveCount(0)
  await page.goto(`http://My-TURBO-host.localhost:${new URL(baseURL ?? '').port}/`)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Turbo')
  const label = page.getByRole('banner').getByText('Turbo')
  const [red = 0, green = 0, blue = 0] = (
    await label.evaluate((element) => getComputedStyle(element).color.match(/\d+/g) ?? [])
  ).map(Number)
  expect(red).toBeGreaterThan(2 * Math.max(green, blue))
  expect(await mark.innerHTML()).not.toBe(plain)
})

test('the navigation highlights the link of the page, Home on the exact root only, and the logo links to /', async ({
  page,
}) => {
  await openList(page)
  const nav = page.getByRole('navigation', { name: 'Main' })
  await expect(nav.getByRole('link')).toHaveText([
    'Home',
    'Sync Tasks',
    'Source Tasks',
    'Compiler',
    'Runs',
    'Task Types',
    'Source Task Types',
    'Unified Types',
    'Settings',
    'Import/Export',
  ])
  const active = nav.locator('[aria-current=page]')
  await expect(active).toHaveText('Sync Tasks')
  // a nested path marks its section as current
  await page.goto('/sync_tasks/1/logs')
  await expect(active).toHaveText('Sync Tasks')
  for (const label of [
    'Source Tasks',
    'Compiler',
    'Runs',
    'Task Types',
    'Source Task Types',
    'Unified Types',
    'Settings',
    'Import/Export',
  ]) {
    await nav.getByRole('link', { name: label, exact: true }).click()
    await expect(active).toHaveText(label)
  }
  await page.getByRole('banner').getByRole('link', { name: 'Rowferry, home' }).click()
  await expect(page).toHaveURL('/')
  await expect(active).toHaveText('Home')
})

test('the mobile menu applies below the md breakpoint, opens and closes with a button, and closes on any link', async ({
  page,
}) => {
  await page.goto('/')
  const row = page.getByRole('navigation', { name: 'Main' })
  const burger = page.getByRole('button', { name: 'Open menu' })
  await page.setViewportSize({ width: 992, height: 800 })
  await expect(row).toBeVisible()
  await expect(burger).toBeHidden()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(992)
  await page.setViewportSize({ width: 991, height: 800 })
  await expect(row).toHaveCount(0)
  const menu = page.locator('#mobile-menu')
  await burger.click()
  await expect(menu).toBeVisible()
  await page.getByRole('button', { name: 'Close menu' }).click()
  await expect(menu).toBeHidden()
  await burger.click()
  await expect(menu.getByRole('link', { name: 'Home' })).toHaveAttribute('aria-current', 'page')
  await expect(menu.getByRole('link', { name: 'Sync Tasks' })).not.toHaveAttribute('aria-current')
  await menu.getByRole('link', { name: 'Import/Export' }).click()
  await expect(page).toHaveURL('/import_export')
  await expect(menu).toBeHidden()
})

test('any other path shows "404 Not Found", "This page does not exist" and a Go Back link to /', async ({
  page,
}) => {
  await page.goto('/no-such-page')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('404 Not Found')
  await expect(page.getByText('This page does not exist')).toBeVisible()
  await page.getByRole('link', { name: 'Go Back' }).click()
  await expect(page).toHaveURL('/')
})

test('the sandbox shows its spreadsheets', async ({ page, sandboxUrl }) => {
  await page.goto(sandboxUrl)
  await expect(page.getByRole('link', { name: /Catalogue master/ })).toBeVisible()
})

test('a user without tasks tries the demo sheets: a type is added, the add dialog filled in, and the task runs', async ({
  page,
  sandboxUrl,
}) => {
  await openList(page)
  await send(page, 'DELETE', '/api/sync_tasks/delete_all?force=true')
  const types = syncTaskTypes.list.reply.parse(await send(page, 'GET', '/api/sync_task_types'))
  for (const { id, name } of types)
    if (name === 'Catalogue') await send(page, 'DELETE', `/api/sync_task_types/${id}`)
  await page.goto('/sync_tasks')
  const demo = page.getByRole('button', { name: 'Try it with the demo sheets' })
  const dialog = page.getByRole('dialog', { name: 'Add Sync Task' })
  // cancelling and retrying does not create a second type
  for (const time of [1, 2]) {
    await demo.click()
    await expect(dialog.getByRole('combobox', { name: 'Task type' })).toHaveValue('Catalogue')
    await expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('Catalogue to web shop')
    await expect(dialog.getByRole('combobox', { name: 'Source spreadsheet' })).toHaveValue('Catalogue master')
    await expect(dialog.getByRole('combobox', { name: 'Target spreadsheet' })).toHaveValue('Web shop')
    if (time === 1) await page.keyboard.press('Escape')
  }
  await dialog.getByRole('button', { name: 'Add task' }).click()
  const row = page.getByRole('article', { name: 'Catalogue to web shop' })
  const toast = page.getByRole('alert').filter({ hasText: 'Sync Task Added Successfully' })
  await expect(toast.getByRole('link', { name: 'Open target' })).toHaveAttribute(
    'href',
    new RegExp(`^${sandboxUrl}/spreadsheets/d/1Demo-WebShop-+0000000000000000000005/edit$`),
  )
  await toast.getByRole('button', { name: 'Run now' }).click()
  await expect(toast).toHaveCount(0)
  await expect(row.getByText('Success', { exact: true })).toBeVisible()
  await expect(demo).toHaveCount(0)
})

test('outside the sandbox there is no demo', async ({ page }) => {
  await page.route('**/auth/check', async (route) => {
    const reply = await route.fetch()
    await route.fulfill({ json: { ...(await reply.json()), sandbox: null } })
  })
  await page.route('**/api/sync_tasks?*', (route) =>
    route.fulfill({ json: { syncTasks: [], totalPages: 1, total: 0, page: 1 } }),
  )
  await openList(page)
  await expect(page.getByRole('heading', { name: 'No sync tasks yet' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Try it with the demo sheets' })).toHaveCount(0)
})
