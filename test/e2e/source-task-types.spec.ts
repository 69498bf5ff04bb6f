import type { Page } from '@playwright/test'
import { z } from 'zod'
import { TaskType } from '../../src/contract/task-types/calls.ts'
import { expect, test } from './app-test.ts'
import { send } from './as-ada.ts'
import { pickUp } from './by-keyboard.ts'
import { enter } from './screen-states.ts'

const Types = z.array(TaskType)
const Id = z.object({ id: z.number() })

const listed = async (page: Page) => Types.parse(await send(page, 'GET', '/api/source_task_types'))
const named = async (page: Page, name: string) => (await listed(page)).find((type) => type.name === name)
const add = async (page: Page, name: string, fields: object = {}) =>
  Id.parse(await send(page, 'POST', '/api/source_task_types', { name, ...fields })).id

test('source types are added, edited, searched, moved, copied and deactivated, and not deleted while used', async ({
  page,
}) => {
  test.slow()
  await enter(page, '/')
  await send(page, 'POST', '/api/unified_task_types', { name: 'Walk sync', task_category: 'sync' })
  await page.goto('/source-task-types')
  const dialog = page.getByRole('dialog')

  await page.getByRole('button', { name: 'Add Type' }).click()
  await expect(dialog.getByRole('textbox', { name: 'Cron Schedule' })).toHaveValue('0 2 * * *')
  await expect(dialog.getByRole('region', { name: 'Schedule' })).toContainText('At 02:00')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toContainText('Name is required')
  await dialog.getByRole('textbox', { name: 'Type Name' }).fill('Walk one')
  await expect(dialog).toContainText('Tasks of this type will only run after tasks of the selected type')
  await expect(dialog.getByRole('textbox', { name: 'Retry Delay (seconds)' })).toHaveValue('300')
  await dialog.getByRole('combobox', { name: 'Depends On' }).fill('Walk sy')
  await page.getByRole('option', { name: 'Walk sync' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  const row = (name: string) => page.getByRole('row', { name: new RegExp(name) })
  await expect(
    page.getByRole('main').getByRole('button', { name: /^(Graph|Export|Import|Add Type)$/ }),
  ).toHaveText(['Graph', 'Export', 'Import', /^Add Type/])
  await expect(page.getByRole('columnheader')).toHaveText([
    '#',
    'Name',
    'Dependency Chain',
    'Concurrent',
    'Queue Delay (s)',
    'Max Retries',
    'Retry Delay (s)',
    'Actions',
  ])
  await expect(row('Walk one')).toContainText('Walk sync')
  expect(await named(page, 'Walk one')).toMatchObject({
    cron_schedule: '0 2 * * *',
    retry_delay_seconds: 300,
    max_retries: 3,
    chunk_size: 1000,
    allowed_concurrent_tasks: 1,
    is_active: true,
  })
  await page.getByRole('button', { name: 'Edit Walk one' }).click()
  await dialog.getByRole('textbox', { name: 'Max Retries' }).fill('7')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Task type updated successfully')).toBeVisible()
  await expect(row('Walk one')).toContainText('7')

  const one = (await named(page, 'Walk one'))?.id
  await add(page, 'Walk two', { group_name: 'Walkers', description: 'All on foot', depends_on_id: one })
  await add(page, 'Walk three', { is_active: false })
  await page.reload()
  const search = page.getByRole('searchbox', { name: 'Search source task types' })
  const names = page.getByRole('row', { name: /Walk/ }).getByRole('rowheader')
  await search.fill('on foot')
  await expect(names).toHaveText([/Walk two/])
  await expect(row('Walk two')).toContainText('Walk sync → Walk one')
  await search.fill('walk')
  await page.getByRole('combobox', { name: 'Status' }).selectOption('Scheduled')
  await expect(names).toHaveText([/Walk one/])
  await page.getByRole('combobox', { name: 'Status' }).selectOption('All')
  await page.getByRole('combobox', { name: 'Group' }).selectOption('Walkers')
  await expect(names).toHaveText([/Walk two/])
  await expect(page).toHaveURL(/q=walk&group=Walkers/)
  await page.reload()
  await expect(names).toHaveText([/Walk two/])

  await expect(page.getByRole('button', { name: 'Move Walk two' })).toHaveCount(0)
  await page.getByRole('switch', { name: 'Reorder Mode: Off' }).click()
  await expect(page.getByText('Showing full list. Drag rows to save order.')).toBeVisible()
  await expect(names).toHaveText([/Walk one/, /Walk two/, /Walk three/])
  const handle = page.getByRole('button', { name: 'Move Walk three' })
  await pickUp(page, handle, /^Walk three is picked up, number/)
  await page.keyboard.press('ArrowUp')
  await expect(page.getByText(/^Walk three is number/)).toBeAttached()
  await page.keyboard.press('Space')
  await expect(names).toHaveText([/Walk one/, /Walk three/, /Walk two/])
  await expect
    .poll(async () => (await listed(page)).map(({ name }) => name).filter((name) => name.startsWith('Walk')))
    .toEqual(['Walk one', 'Walk three', 'Walk two'])

  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/source-task-types?q=walk')
  const card = (name: string) =>
    page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) })
  await expect(card('Walk two')).toContainText(/Walkers.*All on foot.*Dependencies1.*Active.*Today/s)
  await expect(card('Walk one')).toContainText(/At 02:00.*Next run.*02:00 EST.*Scheduled/s)
  const choose = async (name: string, item: string) => {
    await page.getByRole('button', { name: `More actions for ${name}`, exact: true }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  await choose('Walk two', 'Edit')
  await expect(page).toHaveURL(/\/source-task-types\/\d+\/edit$/)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page).toHaveURL('/source-task-types?q=walk')
  await page.route('**/api/source_task_types/*', (route) => route.fulfill({ status: 500, json: {} }))
  await choose('Walk two', 'Deactivate')
  await expect(page.getByText('Failed to update source task type')).toBeVisible()
  await expect(card('Walk two').getByText('Active', { exact: true })).toBeVisible()
  await page.unroute('**/api/source_task_types/*')
  await choose('Walk two', 'Deactivate')
  await expect(card('Walk two').getByText('Inactive')).toBeVisible()
  await choose('Walk two', 'Activate')
  await expect(card('Walk two').getByText('Active', { exact: true })).toBeVisible()
  await choose('Walk one', 'Delete')
  await expect(dialog).toContainText('Are you sure you want to delete "Walk one"?')
  await expect(dialog).toContainText('Other task types depend on this one (1 dependent types).')
  await expect(dialog.getByRole('button', { name: 'Delete' })).toBeDisabled()
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  await page.route('**/api/source_task_types', (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 500, json: {} }) : route.fallback(),
  )
  await choose('Walk two', 'Duplicate')
  await expect(page.getByText('Failed to duplicate source task type')).toBeVisible()
  await page.unroute('**/api/source_task_types')
  await choose('Walk two', 'Duplicate')
  await expect(page).toHaveURL(/\/source-task-types\/\d+\/edit/)
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('Walk two (Copy)')
  expect(await named(page, 'Walk two (Copy)')).toMatchObject({
    is_active: false,
    group_name: 'Walkers',
    depends_on_id: one,
  })
})

test('the page of a source type: created, loaded as stored, one field edited, guarded against lost input, and deleted', async ({
  page,
}) => {
  test.slow()
  await enter(page, '/')
  await add(page, 'Form first', { group_name: 'Form group' })
  await send(page, 'POST', '/api/unified_task_types', { name: 'Form sync', task_category: 'sync' })
  await page.goto('/source-task-types/new')
  const create = page.getByRole('button', { name: 'Create Task Type' })
  const field = (name: string) => page.getByRole('textbox', { name, exact: true })
  await expect(page.getByRole('navigation', { name: 'Breadcrumb' })).toContainText('Source Task Types')
  await expect(page.getByRole('heading', { level: 2 })).toHaveText([
    'Basic Information',
    'Schedule Configuration',
    'Dependencies',
    'Execution Settings',
  ])
  await expect(create).toBeDisabled()
  await field('Name').fill('x'.repeat(101))
  await expect(page.getByText('Name must be less than 100 characters').first()).toBeVisible()
  await field('Name').fill('Form page')
  await page.getByRole('combobox', { name: 'Group Name' }).fill('Form')
  await page.getByRole('option', { name: 'Form group' }).click()
  await page.getByText('High', { exact: true }).click()
  await page.getByRole('checkbox', { name: 'Enable automatic scheduling' }).check()
  await expect(page.getByText('Cron schedule is required when scheduling is enabled')).toBeVisible()
  await expect(create).toBeDisabled()
  await page.getByRole('textbox', { name: 'Cron Schedule' }).fill('15 3 * * *')
  await field('Max Concurrent Tasks').fill('101')
  await expect(page.getByText('Max concurrent tasks must be between 1 and 100').first()).toBeVisible()
  await field('Max Concurrent Tasks').fill('2')
  await field('Timeout (minutes)').fill('45')

  await expect(page.getByText('No dependencies configured')).toBeVisible()
  await expect(page.getByText('This task will run independently')).toBeVisible()
  const addDependency = page.getByRole('button', { name: 'Add dependency' })
  const problem = page.getByRole('group', { name: 'Add a dependency' }).getByRole('alert')
  await addDependency.click()
  await expect(problem).toHaveText('Please select a task type')
  const depend = async (name: string, condition: string) => {
    await page.getByRole('combobox', { name: 'Task type', exact: true }).fill(name)
    await page.getByRole('option', { name, exact: true }).click()
    await addDependency.click()
    await expect(problem).toHaveText('Please select a condition type')
    await page.getByRole('radio', { name: condition }).check()
    await addDependency.click()
  }
  await depend('Form first', 'Must complete successfully')
  await depend('Form sync', 'Must complete (any status)')
  await page.getByRole('combobox', { name: 'Task type', exact: true }).fill('Form first')
  await expect(page.getByRole('option', { name: 'Form first' })).toHaveAttribute(
    'data-combobox-disabled',
    'true',
  )
  await page.keyboard.press('Escape')
  await create.click()
  await expect(page).toHaveURL('/source-task-types')
  await expect(page.getByText('Task type created successfully')).toBeVisible()
  const stored = await named(page, 'Form page')
  expect(stored).toMatchObject({
    group_name: 'Form group',
    priority: 2,
    cron_schedule: '15 3 * * *',
    allowed_concurrent_tasks: 2,
    timeout_minutes: 45,
    max_retries: 3,
    retry_delay_seconds: 300,
    chunk_size: 1000,
    dependencies: [
      { name: 'Form first', condition_type: 'success' },
      { name: 'Form sync', condition_type: 'completion' },
    ],
  })

  // values that the form cannot display
  const path = `/source-task-types/${stored?.id}/edit`
  await send(page, 'PUT', `/api/source_task_types/${stored?.id}`, {
    max_retries: 50,
    retry_delay_seconds: 95,
    queue_delay_seconds: 12,
    priority: 9,
  })
  await page.goto(path)
  await expect(field('Max Retries')).toHaveValue('50')
  await expect(field('Retry Delay (seconds)')).toHaveValue('95')
  await expect(page.getByRole('radio', { name: 'High' })).toBeChecked()
  await expect(page.getByRole('combobox', { name: 'Condition of Form sync' })).toHaveValue('completion')
  await field('Description').fill('Unsaved')
  await page.getByRole('link', { name: 'Source Task Types' }).last().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Keep editing' }).click()
  await send(page, 'PUT', `/api/source_task_types/${stored?.id}`, { group_name: 'Elsewhere' })
  await page.getByRole('button', { name: 'Update Task Type' }).click()
  await page.getByRole('button', { name: 'Load again' }).click()
  await expect(page.getByRole('combobox', { name: 'Group Name' })).toHaveValue('Elsewhere')
  await expect(field('Description')).toHaveValue('Unsaved')
  await page.getByRole('button', { name: 'Update Task Type' }).click()
  await expect(page).toHaveURL('/source-task-types')
  expect(await named(page, 'Form page')).toMatchObject({
    description: 'Unsaved',
    group_name: 'Elsewhere',
    max_retries: 50,
    retry_delay_seconds: 95,
    queue_delay_seconds: 12,
    priority: 9,
  })

  const ten = []
  for (let n = 0; n < 10; n += 1) ten.push(await add(page, `Form needed ${n}`))
  await send(page, 'PUT', `/api/source_task_types/${stored?.id}`, {
    dependencies: ten.map((id) => ({ dependency_task_type_id: id, condition_type: 'success' })),
  })
  await page.goto(path)
  const dependencies = page.getByRole('list', { name: 'Dependencies' }).getByRole('listitem')
  await expect(dependencies).toHaveCount(10)
  await depend('Form first', 'Must complete (any status)')
  await expect(problem).toHaveText('Maximum of 10 dependencies allowed')
  await expect(dependencies).toHaveCount(10)
  await page.getByRole('checkbox', { name: 'Enable automatic scheduling' }).uncheck()
  // a chosen type that cannot be added is not silently dropped
  await expect(page.getByRole('button', { name: 'Update Task Type' })).toBeDisabled()
  await page.getByRole('button', { name: 'Choose no type' }).click()
  await page.getByRole('button', { name: 'Update Task Type' }).click()
  await expect(page).toHaveURL('/source-task-types')
  expect(await named(page, 'Form page')).toMatchObject({ cron_schedule: null })
  await page.goto(path)
  await page.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('dialog')).toContainText('Are you sure you want to delete "Form page"?')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page).toHaveURL('/source-task-types')
  await page.goto(path)
  await expect(page).toHaveURL('/source-task-types')
  await expect(page.getByText('Task type not found.')).toBeVisible()
})

test('the next run times of a type have reserved space: loading them does not move the content below', async ({
  page,
}) => {
  await enter(page, '/')
  const id = await add(page, 'Steady form', { cron_schedule: '0 4 * * *' })
  const answer = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  await page.route('**/api/source_schedule/validate_cron*', async (route) => {
    asked.resolve()
    await answer.promise
    await route.continue()
  })
  await page.goto(`/source-task-types/${id}/edit`)
  const below = page.getByRole('heading', { name: 'Execution Settings' })
  await asked.promise
  await expect(page.getByText('Next 3 Run Times')).toHaveCount(0)
  await expect(below).toBeVisible()
  const before = await below.boundingBox()
  answer.resolve()
  await expect(page.getByText('Next 3 Run Times')).toBeVisible()
  expect(await below.boundingBox()).toEqual(before)
})
