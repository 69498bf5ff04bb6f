import type { Request } from '@playwright/test'
import { type AddedTask, addTask, addType } from './add-task.ts'
import { expect, test } from './app-test.ts'
import { openList, send, showTask } from './as-ada.ts'
import { slowGoogle } from './google-sheets.ts'

const small = [
  ['SKU', 'Price'],
  ['007', 1.5],
]

test.beforeEach(async ({ page }) => openList(page))
test.afterEach(async () => {
  await slowGoogle(0)
})

test('a large copy shows its progress on the page while it runs', async ({ page }) => {
  const rows = Array.from({ length: 20_000 }, (_, row) =>
    Array.from({ length: 20 }, (_, column) => (row === 0 ? `Column ${column + 1}` : row * 20 + column)),
  )
  const task = await addTask(page, await addType(page, 'Large'), 'Large copy', rows)
  const row = await showTask(page, 'Large copy')
  // Each request to Google takes two seconds, so each phase lasts at least that long. After prestaging, no rows are left to write.
  await slowGoogle(2_000)
  const seen = Promise.all([
    row.getByText('In Progress').waitFor(),
    row.getByText(/Reading · [\d,]+ rows/).waitFor(),
    row.getByText(/(Comparing|Writing|Verifying) · [\d,]+ of 19,999 rows/).waitFor(),
    row.locator('[role=progressbar][aria-valuenow]').waitFor(),
  ])
  await row.getByRole('button', { name: 'Run Large copy' }).click()
  await seen
  await expect(row.getByText('Success', { exact: true })).toBeVisible()
  await expect(row.getByRole('progressbar')).toHaveCount(0)
  await expect(page.getByText('Large copy: Success')).toBeAttached()

  await page.goto(`/sync_tasks/${task.id}/data_copy`)
  const frame = page.getByRole('table', { name: 'Copied data' })
  await expect(frame.getByRole('row')).not.toHaveCount(0)
  expect(await frame.getByRole('row').count()).toBeLessThan(80)
  const next = page.waitForRequest(/offset=19500&/)
  await frame.evaluate((element) => element.scrollTo(0, element.scrollHeight))
  await next
  await frame.getByRole('button', { name: 'Column 1', exact: true }).click()
  await frame.getByRole('button', { name: 'Column 1', exact: true }).click()
  await expect(page).toHaveURL(/sort=Column\+1&order=desc/)
  await expect(frame.getByRole('cell').first()).toHaveText(String(19_999 * 20))
})

test('after a stop request a Running task shows Stopping at once and is read again; it shows Stopped when it has ended', async ({
  page,
}) => {
  const task = await addTask(page, await addType(page, 'Stopped'), 'To be stopped', small)
  await slowGoogle(3000)
  const row = await showTask(page, task.name)
  // The task is read after Run; that reply arrives only after Stop was pressed, and does not know of it.
  const { promise: stop_pressed, resolve: deliverOldReply } = Promise.withResolvers<void>()
  await page.route(`**/api/sync_tasks/${task.id}`, async (route) => {
    const response = await route.fetch()
    await stop_pressed
    await route.fulfill({ response })
  })
  const { promise: stop_sent, resolve: sendStop } = Promise.withResolvers<void>()
  await page.route('**/api/sync_tasks/stop/*', async (route) => {
    await stop_sent
    await route.continue()
  })
  const isRead = (request: Request) =>
    request.method() === 'GET' && request.url().endsWith(`/api/sync_tasks/${task.id}`)
  const old_reply = page.waitForResponse((response) => isRead(response.request()))
  await row.getByRole('button', { name: 'Run To be stopped' }).click()
  await expect(row.getByText('In Progress')).toBeVisible()
  await row.getByRole('button', { name: 'Stop To be stopped' }).click()
  await expect(row.getByText('Stopping')).toBeVisible()
  deliverOldReply()
  await (await old_reply).finished()
  await page.evaluate(() => new Promise(requestAnimationFrame))
  await expect(row.getByText('Stopping')).toBeVisible()
  const read_again = page.waitForRequest(isRead)
  sendStop()
  await read_again
  await expect(row.getByText('Stopped', { exact: true })).toBeVisible()
})

test.describe('the list', () => {
  let tasks: AddedTask[] = []
  test.beforeEach(async ({ page }, { testId }) => {
    const type = await addType(page, `List ${testId}`)
    tasks = [
      await addTask(page, type, `Apples ${testId}`, small),
      await addTask(page, type, `Pears ${testId}`, small),
    ]
    await page.goto(`/sync_tasks?q=${testId}`)
  })

  test('filters are kept in the address and survive a reload', async ({ page }, { testId }) => {
    await page.getByRole('searchbox', { name: 'Search tasks' }).fill(`pears ${testId}`)
    await expect(page).toHaveURL(/q=pears/)
    await page.getByRole('button', { name: /Pending$/ }).click()
    await expect(page).toHaveURL(/status=Pending/)
    await page.reload()
    await expect(page.getByRole('searchbox', { name: 'Search tasks' })).toHaveValue(`pears ${testId}`)
    await expect(page.getByRole('button', { name: /Pending$/ })).toHaveAttribute('aria-pressed', 'true')
    await expect(page.getByRole('article')).toHaveCount(1)
    await page.getByRole('button', { name: /Error$/ }).click()
    await page.getByRole('button', { name: /Pending$/ }).click()
    await expect(page.getByRole('heading', { name: 'No task matches these filters' })).toBeVisible()
    await page.getByRole('main').getByRole('button', { name: 'Clear all filters' }).last().click()
    await expect(page.getByRole('article').nth(1)).toBeVisible()
    await expect(page).toHaveURL('/sync_tasks')
  })

  test('the active switch changes at once, is locked while updating, takes is_active from the reply, and reverts on an error', async ({
    page,
  }) => {
    const [task] = tasks
    const active = page.getByRole('switch', { name: `${task?.name} is active` })
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
    await page.route('**/toggle_active', async (route) => {
      await answered
      await route.fulfill({ status: 503, json: {} })
    })
    await active.click()
    await expect(active).not.toBeChecked()
    await expect(active).toHaveAttribute('aria-disabled', 'true')
    answer()
    await expect(active).toBeChecked()
    await page.unroute('**/toggle_active')
    await expect(active).toHaveAttribute('aria-disabled', 'false')
    await page.route('**/toggle_active', (route) =>
      route.fulfill({ json: { is_active: true, message: 'Kept on', updated_at: new Date().toISOString() } }),
    )
    await active.click()
    await expect(page.getByText('Kept on')).toBeVisible()
    await expect(active).toBeChecked()
    await page.unroute('**/toggle_active')
    await expect(active).toHaveAttribute('aria-disabled', 'false')
    await active.click()
    await expect(active).not.toBeChecked()
    // A reload before the reply would abort the request.
    await expect(active).toHaveAttribute('aria-disabled', 'false')
    await page.reload()
    await expect(active).not.toBeChecked()
  })

  test('a check of the source shows a spinner, then Ready or Not Ready with the kind of source, and a toast', async ({
    page,
  }) => {
    const row = page.getByRole('article', { name: tasks[0]?.name })
    const state = row.getByRole('button', { name: /source of/ })
    await expect(state).toHaveText(/^Check Google Sheet/)
    let answer = () => {}
    await page.route('**/check_readiness', async (route) => {
      await new Promise<void>((resolve) => {
        answer = resolve
      })
      await route.continue()
    })
    await row.getByRole('button', { name: /More actions/ }).click()
    await page.getByRole('menuitem', { name: 'Check readiness' }).click()
    await expect(state.getByLabel('Checking the source')).toBeVisible()
    answer()
    await expect(state).toHaveText(/^Ready Google Sheet/)
    await expect(page.getByText(/^Source is ready: .* has 1 row below its header\.$/)).toBeVisible()
    await page.unroute('**/check_readiness')
    await send(page, 'PUT', `/api/sync_tasks/${tasks[0]?.id}`, { source_sheet_name: 'Not there' })
    await state.click()
    await expect(state).toHaveText(/^Not Ready Google Sheet/)
    await expect(page.getByText(/^Source not ready: .*Not there/)).toBeVisible()
    await page.route('**/check_readiness', (route) => route.abort())
    await state.click()
    await expect(page.getByText(/^Readiness check failed: |^Error checking readiness$/)).toBeVisible()
    await expect(state.getByLabel('Checking the source')).toHaveCount(0)
  })

  test('deleting asks for confirmation with what is lost', async ({ page }) => {
    const name = tasks[1]?.name ?? ''
    const row = page.getByRole('article', { name })
    const remove = async () => {
      await row.getByRole('button', { name: /More actions/ }).click()
      await page.getByRole('menuitem', { name: 'Delete' }).click()
    }
    const dialog = page.getByRole('dialog', { name: 'Confirm Deletion' })
    await remove()
    await expect(dialog).toContainText('Its logs and copied data are deleted.')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(row).toBeVisible()
    await remove()
    await dialog.getByRole('button', { name: 'Delete task' }).click()
    await expect(page.getByText('Sync task deleted successfully')).toBeVisible()
    await expect(row).toHaveCount(0)
  })

  test('of two users who edit the same task, the second gets a conflict, keeps the input, and can then save', async ({
    page,
  }) => {
    const [task] = tasks
    await page.getByRole('button', { name: `More actions for ${task?.name}` }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit Sync Task' })
    await dialog.getByRole('textbox', { name: 'Start row' }).fill('3')
    await send(page, 'PUT', `/api/sync_tasks/${task?.id}`, { target_sheet_name: 'Changed elsewhere' })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog.getByRole('alert')).toContainText('Another user changed this in the meantime.')
    await expect(dialog.getByRole('textbox', { name: 'Start row' })).toHaveValue('3')
    await dialog.getByRole('button', { name: 'Load again' }).click()
    await expect(dialog.getByRole('combobox', { name: 'Target sheet name' })).toHaveValue('Changed elsewhere')
    await expect(dialog.getByRole('textbox', { name: 'Start row' })).toHaveValue('3')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Sync task updated successfully')).toBeVisible()
    expect(await send(page, 'GET', `/api/sync_tasks/${task?.id}`)).toMatchObject({
      start_row: 3,
      target_sheet_name: 'Changed elsewhere',
    })
  })

  test('Edit Save sets a blank name from the source sheet name, else the target sheet name', async ({
    page,
  }) => {
    const [task] = tasks
    const edit = async (name: string) => {
      await showTask(page, name)
      await page.getByRole('button', { name: `More actions for ${name}` }).click()
      await page.getByRole('menuitem', { name: 'Edit' }).click()
      return page.getByRole('dialog', { name: 'Edit Sync Task' })
    }
    const dialog = await edit(task?.name ?? '')
    await dialog.getByRole('textbox', { name: 'Name' }).clear()
    await dialog.getByRole('combobox', { name: 'Source sheet name' }).fill(`Source ${task?.id}`)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Sync task updated successfully')).toBeVisible()
    await edit(`Source ${task?.id}`)
    await dialog.getByRole('combobox', { name: 'Source sheet name' }).clear()
    await dialog.getByRole('combobox', { name: 'Target sheet name' }).fill(`Target ${task?.id}`)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Sync task updated successfully')).toBeVisible()
    await showTask(page, `Target ${task?.id}`)
    await expect(page.getByRole('article', { name: `Target ${task?.id}`, exact: true })).toBeVisible()
  })

  test('a taken name marks and focuses the field, and keeps the input', async ({ page }) => {
    const [task] = tasks
    await page.getByRole('button', { name: `More actions for ${tasks[1]?.name}` }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit Sync Task' })
    const name = dialog.getByRole('textbox', { name: 'Name' })
    await name.fill(task?.name ?? '')
    await dialog.getByRole('textbox', { name: 'Start row' }).fill('2')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog.getByRole('alert')).toContainText(
      'A task with this name already exists for this task type. Please use a different name.',
    )
    await expect(name).toBeFocused()
    await expect(name).toHaveAttribute('aria-invalid', 'true')
    await expect(dialog.getByRole('textbox', { name: 'Start row' })).toHaveValue('2')
    await name.fill(`${tasks[1]?.name} changed`)
    await expect(dialog.getByRole('alert')).toHaveCount(0)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByRole('article', { name: `${tasks[1]?.name} changed` })).toBeVisible()
  })
})

test('a list that cannot be loaded shows an error and loads on retry', async ({ page }) => {
  await page.route('**/api/sync_tasks?*', (route) => route.fulfill({ status: 503, json: {} }))
  await page.reload()
  const problem = page.getByRole('main').getByRole('alert').filter({ hasText: 'Failed to fetch sync tasks.' })
  await expect(problem).toBeVisible()
  await page.unroute('**/api/sync_tasks?*')
  await problem.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('article').first()).toBeVisible()
})

test('a list of ten thousand tasks shows the first ones while it loads, and renders only visible rows', async ({
  page,
}) => {
  await addTask(page, await addType(page, 'Ten thousand'), 'One of ten thousand', small)
  const pages = 25
  const others = Promise.withResolvers<void>()
  await page.route('**/api/sync_tasks?*', async (route) => {
    const number = Number(new URL(route.request().url()).searchParams.get('page'))
    if (number > 1) await others.promise
    const reply = await route.fetch({
      url: route
        .request()
        .url()
        .replace(/page=\d+/, 'page=1'),
    })
    const list = await reply.json()
    const [first] = list.syncTasks
    const syncTasks = Array.from({ length: 400 }, (_, index) => {
      const id = 1_000_000 + number * 400 + index
      return { ...first, id, name: `Copy ${id}` }
    })
    await route.fulfill({ json: { syncTasks, totalPages: pages, total: pages * 400, page: number } })
  })
  await page.reload()
  await expect(page.getByText('Loading 10,000 tasks…')).toBeVisible()
  await expect(page.getByRole('article', { name: 'Copy 1000400' })).toBeVisible()
  others.resolve()
  await expect(page.getByText('10,000 tasks in 1 type')).toBeVisible()
  await page.getByRole('checkbox', { name: 'Select all 10,000 tasks' }).check()
  await expect(page.getByRole('region', { name: 'Selected tasks' })).toContainText('10,000 tasks selected')
  expect(await page.getByRole('article').count()).toBeLessThan(60)
  await page.getByRole('searchbox', { name: 'Search tasks' }).fill('1010399')
  await expect(page.getByRole('article')).toHaveCount(1)
})
