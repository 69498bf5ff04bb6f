import type { Page } from '@playwright/test'
import { z } from 'zod'
import { TaskType } from '../../src/contract/task-types/calls.ts'
import { expect, test } from './app-test.ts'
import { send } from './as-ada.ts'
import { enter } from './screen-states.ts'

const SOURCE = '/api/source_task_types'
const named = async (page: Page, name: string) =>
  z
    .array(TaskType)
    .parse(await send(page, 'GET', SOURCE))
    .find((type) => type.name === name)
const add = async (page: Page, name: string, fields: object = {}) =>
  TaskType.parse(await send(page, 'POST', SOURCE, { name, ...fields })).id
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const names = (page: Page) => page.getByRole('row').getByRole('rowheader')

test.beforeEach(async ({ page }) => enter(page, '/'))

test('a schedule known to be invalid is not saved in the page, the dialog and the editor of all types', async ({
  page,
}) => {
  await page.goto('/source-task-types/new')
  await field(page, 'Name').fill('Never saved')
  await page.getByRole('checkbox', { name: 'Enable automatic scheduling' }).check()
  await field(page, 'Cron Schedule').fill('5* * * * *')
  await page.getByRole('button', { name: 'Validate' }).click()
  await expect(page.getByText('Minute: "5*" is not a minute.').first()).toBeVisible()
  const create = page.getByRole('button', { name: 'Create Task Type' })
  await expect(create).toBeDisabled()
  await field(page, 'Cron Schedule').fill('5 * * * *')
  await expect(create).toBeEnabled()

  for (const [path, button] of [
    ['/source-task-types', 'Add Type'],
    ['/unified-task-types', 'Create Task Type'],
  ] as const) {
    await page.goto(path)
    await page.getByRole('button', { name: button }).click()
    const dialog = page.getByRole('dialog')
    if (path.startsWith('/unified')) {
      await dialog.getByRole('combobox', { name: 'Category' }).click()
      await page.getByRole('listbox').getByRole('option', { name: 'Source' }).click()
    }
    await dialog.getByRole('textbox', { name: 'Cron Schedule' }).fill('0/15 * * * *')
    await dialog.getByRole('button', { name: 'Validate' }).click()
    await expect(dialog).toContainText('Write 0-59/15, or */15.')
    await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled()
    await dialog.getByRole('textbox', { name: 'Cron Schedule' }).fill('')
    await expect(dialog.getByRole('button', { name: 'Save' })).toBeEnabled()
    page.once('dialog', (asked) => asked.accept())
  }
})

test('a dependency that is chosen but not added is added on save; one without a condition asks for it', async ({
  page,
}) => {
  await add(page, 'Draft first')
  await page.goto('/source-task-types/new')
  await field(page, 'Name').fill('Draft last')
  await page.getByRole('combobox', { name: 'Task type', exact: true }).fill('Draft first')
  await page.getByRole('option', { name: 'Draft first', exact: true }).click()
  const create = page.getByRole('button', { name: 'Create Task Type' })
  await expect(create).toBeDisabled()
  await expect(page.getByText('Please select a condition type').last()).toBeVisible()
  await page.getByRole('radio', { name: 'Must complete (any status)' }).check()
  await create.click()
  await expect(page).toHaveURL('/source-task-types')
  expect(await named(page, 'Draft last')).toMatchObject({
    dependencies: [{ name: 'Draft first', condition_type: 'completion' }],
  })
})

test('saving returns to the list with its filters, and Back does not open the saved form again', async ({
  page,
}) => {
  await add(page, 'Way one')
  await add(page, 'Way two')
  await page.goto('/source-task-types?q=way')
  await page.getByRole('button', { name: 'More actions for Way two' }).click()
  await page.getByRole('menuitem', { name: 'All settings' }).click()
  await field(page, 'Description').fill('On the way')
  await page.getByRole('button', { name: 'Update Task Type' }).click()
  await expect(page).toHaveURL('/source-task-types?q=way')
  await expect(names(page)).toHaveText([/Way one/, /Way two/])
  await page.goBack()
  await expect(page).toHaveURL('/source-task-types?q=way')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Source Task Types')
})

test('a type that was deleted meanwhile is saved as a new one, with the settings that the form does not show', async ({
  page,
}) => {
  const fields = {
    cron_schedule: '15 3 * * *',
    queue_delay_seconds: 7,
    retry_delay_seconds: 5,
    group_name: 'Gone',
  }
  const first = await add(page, 'Gone one', fields)
  await page.goto(`/source-task-types/${first}/edit`)
  await expect(field(page, 'Retry Delay (seconds)')).toHaveValue('5')
  await field(page, 'Description').fill('Still here')
  await send(page, 'DELETE', `${SOURCE}/${first}`)
  await page.getByRole('button', { name: 'Update Task Type' }).click()
  await expect(page.getByRole('alert')).toContainText('This type was deleted meanwhile.')
  await page.getByRole('button', { name: 'Save as new' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Saving adds it as a new type.' })).toBeVisible()
  await page.getByRole('button', { name: 'Create Task Type' }).click()
  await expect(page).toHaveURL('/source-task-types')
  expect(await named(page, 'Gone one')).toMatchObject({ ...fields, description: 'Still here' })

  await add(page, 'Gone two', fields)
  await page.reload()
  await page.getByRole('button', { name: 'Edit Gone two' }).click()
  const dialog = page.getByRole('dialog')
  await send(page, 'DELETE', `${SOURCE}/${(await named(page, 'Gone two'))?.id}`)
  await dialog.getByRole('textbox', { name: 'Max Retries' }).fill('9')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByRole('button', { name: 'Save as new' }).click()
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(dialog).toHaveCount(0)
  expect(await named(page, 'Gone two')).toMatchObject({ ...fields, max_retries: 9 })
})

test('an error uses the field labels of the form', async ({ page }) => {
  const id = await add(page, 'Refused')
  await page.goto(`/source-task-types/${id}/edit`)
  await page.route(`**${SOURCE}/${id}`, (route) =>
    route.request().method() === 'PUT'
      ? route.fulfill({
          status: 400,
          json: {
            code: 'invalid',
            error: 'retry_delay_seconds must be at most 10',
            message: 'retry_delay_seconds must be at most 10',
            field: 'retry_delay_seconds',
            errors: [{ field: 'retry_delay_seconds', message: 'retry_delay_seconds must be at most 10' }],
          },
        })
      : route.fallback(),
  )
  await field(page, 'Retry Delay (seconds)').fill('11')
  await page.getByRole('button', { name: 'Update Task Type' }).click()
  await expect(page.getByText('Retry Delay (seconds) must be at most 10')).toHaveCount(2)
  await expect(page.getByText('retry_delay_seconds')).toHaveCount(0)
})

test('the dialog shows the schedule that a new source type gets, and saves what is chosen there', async ({
  page,
}) => {
  await page.goto('/source-task-types')
  await expect(page.getByRole('button', { name: 'Add Type' }).first()).toBeVisible()
  await page.keyboard.press('n')
  const dialog = page.getByRole('dialog', { name: 'Add Source Task Type' })
  const schedule = dialog.getByRole('region', { name: 'Schedule' })
  await expect(schedule.getByRole('textbox', { name: 'Cron Schedule' })).toHaveValue('0 2 * * *')
  await expect(schedule).toContainText('Next 3 Run Times')
  await schedule.getByRole('textbox', { name: 'Cron Schedule' }).fill('')
  await dialog.getByRole('textbox', { name: 'Type Name' }).fill('By hand only')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toHaveCount(0)
  expect(await named(page, 'By hand only')).toMatchObject({ cron_schedule: null })

  await page.goto('/sync_tasks')
  await expect(page.getByRole('main').locator('[aria-keyshortcuts=n]')).toBeVisible()
  await page.keyboard.press('n')
  const task = page.getByRole('dialog', { name: 'Add Sync Task' })
  await expect(task).toContainText('Runs every day at 04:00, 23:00.')
  await task.getByRole('button', { name: 'Remove 04:00' }).click()
  await task.getByRole('button', { name: 'Remove 23:00' }).click()
  await expect(task).toContainText('Runs by hand only.')
})

test('groups are in the order of their numbers, the count follows the filters, and / goes to the search', async ({
  page,
}) => {
  for (const group of ['Wave 10', 'Wave 2', 'Wave 1'])
    await add(page, `Natural ${group}`, { group_name: group })
  const first = await add(page, 'Natural scheduled', { cron_schedule: '0 2 * * *' })
  await send(page, 'POST', '/api/source_tasks', {
    name: 'Natural task',
    source_type: 'sheet',
    spreadsheet_id: 'x'.repeat(30),
    sheet_name: 'Rows',
    source_task_type_id: first,
  })
  await page.goto('/source-task-types')
  const choice = page.getByRole('combobox', { name: 'Group' })
  await expect(choice).toBeVisible()
  const groups = await choice.getByRole('option').allTextContents()
  expect(groups.filter((name) => name.startsWith('Wave'))).toEqual(['Wave 1', 'Wave 2', 'Wave 10'])
  await page.keyboard.press('/')
  await page.keyboard.type('natural wave 1')
  await expect(page.getByText(/^2 of \d+ types$/)).toBeVisible()

  for (const [path, search] of [
    ['/unified-task-types', 'Search task types'],
    ['/schedule', 'Search scheduled tasks'],
    ['/source_tasks', 'Search tasks'],
  ] as const) {
    await page.goto(path)
    const box = page.getByRole('searchbox', { name: search })
    await expect(box).toBeVisible()
    await page.keyboard.press('/')
    await expect(box).toBeFocused()
  }
  for (const path of ['/unified-task-types', '/sync_task_types', '/compiler']) {
    await page.goto(path)
    await expect(
      page
        .getByRole('main')
        .getByRole('button', { name: /^(Create Task Type|Add Type|New Configuration)$/ })
        .first(),
    ).toBeVisible()
    await page.keyboard.press('n')
    await expect(page.getByRole('dialog')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
})
