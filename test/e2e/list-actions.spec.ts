import type { Page } from '@playwright/test'
import { addTask, addType } from './add-task.ts'
import { expect, test } from './app-test.ts'
import { send, signIn } from './as-ada.ts'
import { slowGoogle } from './google-sheets.ts'

const small = [
  ['SKU', 'Price'],
  ['007', 1.5],
]

/** Opens the menu of all tasks and chooses from it. */
async function chooseForAll(page: Page, item: string): Promise<void> {
  await page.getByRole('button', { name: 'Actions for all tasks' }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

// what is done with all tasks would reach those of other tests
test.beforeEach(async ({ page }) => {
  await signIn(page)
  await send(page, 'DELETE', '/api/sync_tasks/delete_all?force=true')
})
test.afterEach(async () => {
  await slowGoogle(0)
})

test('without tasks, stopping, switching and deleting all are refused', async ({ page }) => {
  await page.goto('/sync_tasks')
  await expect(page.getByRole('heading', { name: 'No sync tasks yet' })).toBeVisible()
  const told = page.getByText('No tasks available')
  const isTold = async () => {
    await expect(told).toBeVisible()
    await page.getByRole('button', { name: 'Close message' }).click()
    await expect(told).toHaveCount(0)
  }
  await page.getByRole('button', { name: 'Stop All' }).click()
  await isTold()
  await page.getByRole('button', { name: 'Run All' }).click()
  await isTold()
  await chooseForAll(page, 'Toggle All active')
  await isTold()
  await chooseForAll(page, 'Delete All')
  await expect(page.getByText('No tasks to delete')).toBeVisible()
})

test('Run All runs every active task; while it is unfinished those of it are locked and say why, and the others are not', async ({
  page,
}, { testId }) => {
  const type = await addType(page, `Together ${testId}`, { allowed_concurrent_tasks: 5 })
  const [first, second, third] = [
    await addTask(page, type, 'Run with all', small),
    await addTask(page, type, 'Run with all too', small),
    await addTask(page, type, 'Not run with all', small),
  ]
  await send(page, 'POST', `/api/sync_tasks/${third.id}/toggle_active`, { is_active: false })
  await page.goto('/sync_tasks')
  await page.getByRole('button', { name: 'Stop All' }).click()
  await expect(page.getByText('No running or queued tasks to stop')).toBeVisible()

  await slowGoogle(3000)
  await page.getByRole('button', { name: 'Run All' }).click()
  await expect(page.getByText('Queued 2 tasks. Skipped 1 (already running or inactive).')).toBeVisible()
  await expect(page.getByRole('article').getByText('In Progress')).toHaveCount(2)
  const why = 'It is running or queued: stop it, or wait until it is done'
  await page.getByRole('button', { name: `More actions for ${first.name}`, exact: true }).click()
  for (const item of ['Run', 'Edit', 'Delete', 'Move down']) {
    await expect(page.getByRole('menuitem', { name: item, exact: true })).toBeDisabled()
    await expect(page.getByRole('menuitem', { name: item, exact: true })).toHaveAccessibleDescription(why)
  }
  await expect(page.getByRole('menu')).toContainText(why)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: `Run ${third.name}` })).toBeEnabled()
  await page.getByRole('button', { name: `More actions for ${third.name}` }).click()
  for (const item of ['Edit', 'Delete', 'Move up'])
    await expect(page.getByRole('menuitem', { name: item, exact: true })).toBeEnabled()
  await page.getByRole('menuitem', { name: 'Move up', exact: true }).click()
  await expect(page.getByText(`${third.name} is number 2 of 3 now`)).toBeVisible()
  await chooseForAll(page, 'Delete All')
  await expect(page.getByText('Cannot delete while tasks are running')).toBeVisible()

  await page.getByRole('button', { name: 'Stop All' }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm Stop All' })
  await expect(dialog).toContainText('Stop 2 tasks running or queued?')
  await dialog.getByRole('button', { name: 'Stop All' }).click()
  await expect(page.getByText('2 tasks are stopping')).toBeVisible()
  for (const { name } of [first, second])
    await expect(
      page.getByRole('article', { name, exact: true }).getByText('Stopped', { exact: true }),
    ).toBeVisible()
  await expect(page.getByRole('button', { name: `Run ${third.name}` })).toBeEnabled()
})

test('a Run All that another person begins locks its tasks on other pages at once, by the event stream alone, and no others', async ({
  page,
}, { testId }) => {
  const type = await addType(page, `Elsewhere ${testId}`)
  const runs = await addTask(page, type, 'Run by somebody', small)
  const rests = await addTask(page, type, 'At rest meanwhile', small)
  await send(page, 'POST', `/api/sync_tasks/${rests.id}/toggle_active`, { is_active: false })
  await page.route('**/api/sync_tasks/status_all', (route) => route.abort())
  await page.goto('/sync_tasks')
  await expect(page.getByRole('button', { name: `Run ${runs.name}` })).toBeEnabled()
  await slowGoogle(3000)
  await send(page, 'POST', '/api/sync_tasks/execute_all')
  await expect(page.getByRole('button', { name: `Stop ${runs.name}` })).toBeVisible()
  const menu = async (name: string) => {
    await page.getByRole('button', { name: `More actions for ${name}` }).click()
    return page.getByRole('menuitem', { name: 'Delete', exact: true })
  }
  await expect(await menu(runs.name)).toBeDisabled()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: `Run ${rests.name}` })).toBeEnabled()
  await expect(await menu(rests.name)).toBeEnabled()
  await page.keyboard.press('Escape')
  await send(page, 'POST', `/api/sync_tasks/stop/${runs.id}`)
  await expect(page.getByRole('button', { name: `Run ${runs.name}` })).toBeEnabled()
})

test('Toggle All says what it forgets, and makes the tasks inactive if most of them are active, else active', async ({
  page,
}, { testId }) => {
  const type = await addType(page, `Toggled ${testId}`)
  for (const name of ['Toggled A', 'Toggled B', 'Toggled C']) await addTask(page, type, name, small)
  await page.goto('/sync_tasks')
  const on = page.getByRole('switch', { checked: true, name: /^Toggled . is active$/ })
  await expect(on).toHaveCount(3)
  await chooseForAll(page, 'Toggle All active')
  await page
    .getByRole('dialog', { name: 'Deactivate all tasks' })
    .getByRole('button', { name: 'Deactivate All' })
    .click()
  await expect(page.getByText('All tasks have been deactivated successfully.')).toBeVisible()
  await expect(on).toHaveCount(0)
  await expect(page.getByRole('button', { name: /^Run Group/ })).toBeDisabled()
  await test.step('an inactive task is not run, and says so', async () => {
    await page.getByRole('button', { name: 'Run Toggled A' }).click()
    await expect(page.getByText('Toggled A is inactive')).toBeVisible()
  })
  await chooseForAll(page, 'Toggle All active')
  const dialog = page.getByRole('dialog', { name: 'Activate all tasks' })
  await expect(dialog).toContainText('Which of them are inactive now is not kept.')
  await dialog.getByRole('button', { name: 'Activate All' }).click()
  await expect(page.getByText('All tasks have been activated successfully.')).toBeVisible()
  await expect(on).toHaveCount(3)
})

test('resetting tells that nothing needed it, export saves the file, import leads to its page, Delete All deletes', async ({
  page,
}, { testId }) => {
  await addTask(page, await addType(page, `Whole ${testId}`), 'To be exported', small)
  await page.goto('/sync_tasks')
  await chooseForAll(page, 'Reset running status')
  await expect(page.getByText('No tasks needed to be reset.')).toBeVisible()
  const saved = page.waitForEvent('download')
  await chooseForAll(page, 'Export CSV')
  expect((await saved).suggestedFilename()).toBe('sync_tasks_export.csv')
  await expect(page.getByText('Sync tasks exported successfully')).toBeVisible()
  await chooseForAll(page, 'Import CSV')
  await expect(page).toHaveURL('/import_export')
  await page.goBack()
  await chooseForAll(page, 'Delete All')
  const dialog = page.getByRole('dialog', { name: 'Confirm Deletion' })
  await expect(dialog).toContainText('Delete all 1 sync task? Their logs and their copied data are lost.')
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await dialog.getByRole('button', { name: 'Delete All' }).click()
  await expect(page.getByText('All sync tasks deleted successfully')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'No sync tasks yet' })).toBeVisible()
})

test('Run Group and Stop Group act on the whole type; where the filters hide some of it, on those alone that are shown', async ({
  page,
}, { testId }) => {
  const type = await addType(page, `Group ${testId}`, { allowed_concurrent_tasks: 5 })
  const other = await addTask(page, await addType(page, `Other ${testId}`), 'Of another type', small)
  const shown = await addTask(page, type, 'Shown of the group', small)
  const hidden = await addTask(page, type, 'Hidden of the group', small)
  await page.goto('/sync_tasks?q=shown')
  await page.getByRole('button', { name: `Run this one of Group ${testId}` }).click()
  await expect(page.getByText('Queued 1 task.', { exact: true })).toBeVisible()
  await expect(
    page.getByRole('article', { name: shown.name }).getByText('Success', { exact: true }),
  ).toBeVisible()
  expect(await send(page, 'GET', `/api/sync_tasks/${hidden.id}`)).toMatchObject({ last_triggered: null })
  await page.goto('/sync_tasks')
  const run = page.getByRole('button', { name: `Run Group Group ${testId}` })
  const stop = page.getByRole('button', { name: `Stop Group Group ${testId}` })
  await expect(stop).toBeDisabled()
  await slowGoogle(3000)
  await run.click()
  await expect(page.getByText('Queued 2 tasks.')).toBeVisible()
  await expect(stop).toBeEnabled()
  await expect(run).toBeDisabled()
  await page.goto('/sync_tasks')
  await expect(
    page.getByRole('article', { name: 'Hidden of the group' }).getByText('In Progress'),
  ).toBeVisible()
  await expect(page.getByRole('article', { name: other.name }).getByText('Pending')).toBeVisible()
  await stop.click()
  await expect(page.getByText('2 tasks are stopping')).toBeVisible()
  await expect(page.getByRole('article').getByText('Stopped', { exact: true })).toHaveCount(2)
  await expect(run).toBeEnabled()
})

test('a group whose type is gone cannot be run, and says so', async ({ page }, { testId }) => {
  await addTask(page, await addType(page, `Gone ${testId}`), 'Of a type that is gone', small)
  await page.route('**/run_group', (route) =>
    route.fulfill({ status: 404, json: { error: 'x', message: 'x', request_id: 'x' } }),
  )
  await page.goto('/sync_tasks')
  await page.getByRole('button', { name: `Run Group Gone ${testId}` }).click()
  await expect(page.getByText('Cannot determine correct type for group action.')).toBeVisible()
})

test('a task moves within its type, front, up, down and back; success and warning are told', async ({
  page,
}, { testId }) => {
  const type = await addType(page, `Places ${testId}`)
  for (const name of ['Moved A', 'Moved B', 'Moved C']) await addTask(page, type, name, small)
  await page.goto('/sync_tasks')
  const order = () =>
    page.getByRole('article', { name: /^Moved/ }).evaluateAll((all) => all.map((one) => one.ariaLabel))
  const open = (name: string) => page.getByRole('button', { name: `More actions for ${name}` }).click()
  const item = (name: string) => page.getByRole('menuitem', { name })

  await open('Moved A')
  await expect(page.getByText('Position 1 of 3')).toBeVisible()
  await expect(item('Move to front')).toBeDisabled()
  await expect(item('Move up')).toBeDisabled()
  await item('Move down').click()
  await expect(page.getByText('Moved A is number 2 of 3 now')).toBeVisible()
  await expect.poll(order).toEqual(['Moved B', 'Moved A', 'Moved C'])
  await open('Moved C')
  await expect(item('Move down')).toBeDisabled()
  await expect(item('Move to back')).toBeDisabled()
  await item('Move to front').click()
  await expect.poll(order).toEqual(['Moved C', 'Moved B', 'Moved A'])
  await open('Moved C')
  await item('Move to back').click()
  await expect.poll(order).toEqual(['Moved B', 'Moved A', 'Moved C'])
  await open('Moved C')
  await item('Move up').click()
  await expect.poll(order).toEqual(['Moved B', 'Moved C', 'Moved A'])
  await page.route('**/reposition', (route) =>
    route.fulfill({ json: { status: 'warning', message: 'Somebody was quicker' } }),
  )
  await open('Moved C')
  await item('Move down').click()
  await expect(page.getByText('Somebody was quicker')).toBeVisible()
})

test('type, source, active and text filters narrow the list together, and live in the address', async ({
  page,
}, { testId }) => {
  const type = await addType(page, `Filtered ${testId}`)
  await addTask(page, await addType(page, `Unfiltered ${testId}`), 'Of the other type', small)
  const off = await addTask(page, type, 'Switched off', small)
  await addTask(page, type, 'Switched on', small)
  await send(page, 'POST', `/api/sync_tasks/${off.id}/toggle_active`, { is_active: false })
  await page.goto('/sync_tasks')
  const names = () => page.getByRole('article').evaluateAll((all) => all.map((one) => one.ariaLabel))
  await page.getByRole('combobox', { name: 'Filter by type' }).selectOption(`Filtered ${testId}`)
  await expect.poll(names).toEqual(['Switched off', 'Switched on'])
  await page.getByRole('combobox', { name: 'Filter by active or inactive' }).selectOption('Inactive only')
  await expect.poll(names).toEqual(['Switched off'])
  await page.getByRole('combobox', { name: 'Filter by source' }).selectOption('Google Sheet')
  await page.reload()
  await expect(page).toHaveURL(`/sync_tasks?type=${type}&active=0&source=sheet`)
  await expect.poll(names).toEqual(['Switched off'])
  await page.getByRole('combobox', { name: 'Filter by source' }).selectOption('Internal DB')
  await expect(page.getByRole('heading', { name: 'No task matches these filters' })).toBeVisible()
})
