import type { Page } from '@playwright/test'
import { addTask, addType } from './add-task.ts'
import { expect, test } from './app-test.ts'
import { send, signIn } from './as-ada.ts'
import { slowGoogle } from './google-sheets.ts'

const small = [
  ['SKU', 'Price'],
  ['007', 1.5],
]

/** Chooses an item from the menu of all tasks. */
async function chooseForAll(page: Page, item: string): Promise<void> {
  await page.getByRole('button', { name: 'Actions for all tasks' }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

// delete the tasks of other tests, which actions on all tasks would affect
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
  const empty = page.getByText('No tasks available')
  const showsEmpty = async () => {
    await expect(empty).toBeVisible()
    await page.getByRole('button', { name: 'Close message' }).click()
    await expect(empty).toHaveCount(0)
  }
  await page.getByRole('button', { name: 'Stop All' }).click()
  await showsEmpty()
  await page.getByRole('button', { name: 'Run All' }).click()
  await showsEmpty()
  await chooseForAll(page, 'Toggle All active')
  await showsEmpty()
  await chooseForAll(page, 'Delete All')
  await expect(page.getByText('No tasks to delete')).toBeVisible()
})

test('Run All runs every active task; until it finishes, its tasks are locked with the reason, and others are not', async ({
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

test('a Run All of another user locks its tasks on other pages at once by the event stream, and no others', async ({
  page,
}, { testId }) => {
  const type = await addType(page, `Elsewhere ${testId}`)
  const runs = await addTask(page, type, 'Run by another user', small)
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

test('Toggle All warns about what is lost, and deactivates all tasks if most are active, otherwise activates them', async ({
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
  await test.step('an inactive task is not run, with a message', async () => {
    await page.getByRole('button', { name: 'Run Toggled A' }).click()
    await expect(page.getByText('Toggled A is inactive')).toBeVisible()
  })
  await chooseForAll(page, 'Toggle All active')
  const dialog = page.getByRole('dialog', { name: 'Activate all tasks' })
  await expect(dialog).toContainText('Which tasks are inactive now is not stored.')
  await dialog.getByRole('button', { name: 'Activate All' }).click()
  await expect(page.getByText('All tasks have been activated successfully.')).toBeVisible()
  await expect(on).toHaveCount(3)
})

test('resetting reports that nothing was stuck, export saves the file, import opens its page, Delete All deletes', async ({
  page,
}, { testId }) => {
  await addTask(page, await addType(page, `Whole ${testId}`), 'To be exported', small)
  await page.goto('/sync_tasks')
  await chooseForAll(page, 'Reset running status')
  await expect(page.getByText('No tasks needed to be reset.')).toBeVisible()
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  expect((await saved).suggestedFilename()).toBe('sync_tasks_export.csv')
  await expect(page.getByText('Sync tasks exported successfully')).toBeVisible()
  await page.getByRole('link', { name: 'Import CSV' }).click()
  await expect(page).toHaveURL('/import_export')
  await page.goBack()
  await chooseForAll(page, 'Delete All')
  const dialog = page.getByRole('dialog', { name: 'Confirm Deletion' })
  await expect(dialog).toContainText('Delete the only sync task? Its logs and copied data are deleted.')
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await dialog.getByRole('button', { name: 'Delete All' }).click()
  await expect(page.getByText('All sync tasks deleted successfully')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'No sync tasks yet' })).toBeVisible()
})

test('Run Group and Stop Group apply to the whole type; under a filter, to the listed tasks only', async ({
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
  await slowGoogle(10_000)
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

test('a group of a deleted type cannot be run, with a message', async ({ page }, { testId }) => {
  await addTask(page, await addType(page, `Gone ${testId}`), 'Of a type that is gone', small)
  await page.route('**/run_group', (route) =>
    route.fulfill({ status: 404, json: { error: 'x', message: 'x', request_id: 'x' } }),
  )
  await page.goto('/sync_tasks')
  await page.getByRole('button', { name: `Run Group Gone ${testId}` }).click()
  await expect(page.getByText('Cannot determine correct type for group action.')).toBeVisible()
})

test('a task moves within its type, front, up, down and back; success and warning are shown', async ({
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
    route.fulfill({ json: { status: 'warning', message: 'Another user was faster' } }),
  )
  await open('Moved C')
  await item('Move down').click()
  await expect(page.getByText('Another user was faster')).toBeVisible()
})

test('type, source, active and text filters are combined and kept in the address', async ({ page }, {
  testId,
}) => {
  const type = await addType(page, `Filtered ${testId}`)
  await addTask(page, await addType(page, `Unfiltered ${testId}`), 'Of the other type', small)
  const off = await addTask(page, type, 'Switched off', small)
  await addTask(page, type, 'Switched on', small)
  await send(page, 'POST', `/api/sync_tasks/${off.id}/toggle_active`, { is_active: false })
  await page.goto('/sync_tasks')
  const names = () => page.getByRole('article').evaluateAll((all) => all.map((one) => one.ariaLabel))
  await page.getByRole('combobox', { name: 'Type' }).selectOption(`Filtered ${testId}`)
  await expect.poll(names).toEqual(['Switched off', 'Switched on'])
  await page.getByRole('combobox', { name: 'Active' }).selectOption('Inactive only')
  await expect.poll(names).toEqual(['Switched off'])
  await page.getByRole('combobox', { name: 'Source' }).selectOption('Google Sheet or file')
  await page.reload()
  await expect(page).toHaveURL(`/sync_tasks?type=${type}&active=0&source=sheet`)
  await expect.poll(names).toEqual(['Switched off'])
  await page.getByRole('combobox', { name: 'Source' }).selectOption('Internal DB')
  await expect(page.getByRole('heading', { name: 'No task matches these filters' })).toBeVisible()
})

test('a failure is snoozed, listed again and acknowledged from the menu of its row', async ({ page }, {
  testId,
}) => {
  const type = await addType(page, `Failing ${testId}`, { max_retries: 0 })
  const name = `Lost ${testId}`
  await send(page, 'POST', '/api/sync_tasks', {
    sync_task_type_id: type,
    name,
    source_ss_id: `lost-${testId}`,
    target_ss_id: `lost-target-${testId}`,
    target_sheet_name: 'Data',
  })
  await page.goto('/sync_tasks')
  const row = page.getByRole('article', { name })
  const choose = async (item: string) => {
    await row.getByRole('button', { name: `More actions for ${name}` }).click()
    await page.getByRole('menuitem', { name: item, exact: true }).click()
  }
  await row.getByRole('button', { name: `Run ${name}` }).click()
  await expect(row.getByText(/^(Failed|Error)$/)).toBeVisible()

  await choose('Snooze…')
  const dialog = page.getByRole('dialog', { name: 'Snooze until' })
  await expect(dialog).toContainText(name)
  await dialog.getByRole('button', { name: 'Snooze' }).click()
  await expect(row.getByRole('img', { name: /^Snoozed until .* by Ada Fields$/ })).toBeVisible()
  await choose('List again')
  await expect(row.getByRole('img', { name: /^Snoozed/ })).toHaveCount(0)
  await choose('Acknowledge')
  await expect(row.getByRole('img', { name: /^Acknowledged by Ada Fields/ })).toBeVisible()
})
