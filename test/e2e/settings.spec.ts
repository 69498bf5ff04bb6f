import type { Page } from '@playwright/test'
import { SyncPreset, syncPresets } from '../../src/contract/sync-presets/calls.ts'
import { addTask, addType } from './add-task.ts'
import { expect, test } from './app-test.ts'
import { send, signIn } from './as-ada.ts'

const SYNC = '/api/sync_tasks/schedule_run_all'
const SOURCE = '/api/source_schedule/schedule_run_all'

const editor = (page: Page, title: string) => page.getByRole('region', { name: title })
const sync = (page: Page) => editor(page, 'Run All: sync tasks')
const source = (page: Page) => editor(page, 'Run All: source tasks')

test.beforeEach(async ({ page }) => {
  await signIn(page)
  await send(page, 'POST', SYNC, { scheduled_times: [] })
  await send(page, 'DELETE', SOURCE)
  await page.goto('/settings')
  await expect(sync(page).getByText('No times yet: Run All is not scheduled.')).toBeVisible()
})

test('the page states that times are in EST, 24-hour HH:MM, and links to the scheduled tasks', async ({
  page,
}) => {
  await expect(page.getByText('Times are in EST (America/New_York), 24-hour HH:MM')).toBeVisible()
  await page.getByRole('link', { name: 'View upcoming' }).click()
  await expect(page).toHaveURL('/source-schedule')
  await page.goto('/settings')
  await page.getByRole('link', { name: 'Scheduled tasks' }).click()
  await expect(page).toHaveURL('/schedule')
})

test('sync times are typed, padded, kept in order and saved by keyboard alone', async ({ page }) => {
  const times = sync(page).getByRole('textbox', { name: 'Times' })
  await times.focus()
  await page.keyboard.type('23:00,4:00')
  await page.keyboard.press('Enter')
  await expect(sync(page).getByRole('button', { name: /^Remove/ })).toHaveCount(2)
  await expect(sync(page).getByText('Not saved yet')).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Schedule saved successfully')).toBeVisible()
  expect(await send(page, 'GET', SYNC)).toMatchObject({ scheduled_times: ['04:00', '23:00'] })
  await page.reload()
  await expect(sync(page).getByRole('button', { name: 'Remove 04:00' })).toBeVisible()
  await sync(page).getByRole('button', { name: 'Remove 04:00' }).press('Enter')
  await expect(times).toBeFocused()
  await page.keyboard.press('Backspace')
  await expect(sync(page).getByText('No times yet')).toBeVisible()
  await sync(page).getByRole('button', { name: 'Save' }).click()
  await expect(sync(page).getByText('Not saved yet')).toHaveCount(0)
  expect(await send(page, 'GET', SYNC)).toMatchObject({ scheduled_times: [] })
})

test('a screen reader gets the same message again when it is announced twice', async ({ page }) => {
  const times = sync(page).getByRole('textbox', { name: 'Times' })
  const announced = page.getByRole('status').getByText('04:00 removed')
  const addAndRemove = async () => {
    await times.fill('04:00')
    await times.press('Enter')
    await sync(page).getByRole('button', { name: 'Remove 04:00' }).press('Enter')
    await expect(announced).toBeAttached()
  }
  await addAndRemove()
  const first = await announced.elementHandle()
  await addAndRemove()
  // Only a change of the document makes a screen reader speak.
  await expect.poll(() => first?.evaluate((element) => element.isConnected)).toBe(false)
})

test('an invalid time is marked and cannot be saved, a duplicate is a warning', async ({ page }) => {
  const times = sync(page).getByRole('textbox', { name: 'Times' })
  await times.fill('24:00')
  await times.press('Enter')
  await expect(sync(page).getByText('Please enter a valid time in HH:MM format (24-hour)')).toBeVisible()
  await expect(times).toHaveValue('24:00')
  await expect(times).toHaveAttribute('aria-invalid', 'true')
  await expect(sync(page).getByRole('button', { name: 'Save' })).toBeDisabled()
  await times.fill('05:00')
  await times.press('Enter')
  await times.fill('5:00')
  await times.press('Enter')
  await expect(sync(page).getByText('This time is already scheduled')).toBeVisible()
  await expect(sync(page).getByRole('button', { name: 'Remove 05:00' })).toHaveCount(1)
  await sync(page).getByRole('button', { name: 'Discard' }).click()
  await expect(sync(page).getByText('No times yet')).toBeVisible()
})

test('the source schedule is saved, and removed only after a confirmation', async ({ page }) => {
  await source(page).getByRole('textbox', { name: 'Times' }).fill('5:30')
  await source(page).getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Source schedule saved')).toBeVisible()
  await source(page).getByRole('button', { name: 'Remove', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Remove all scheduled "Run All" operations for SourceTasks?')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect(await send(page, 'GET', SOURCE)).toMatchObject({ scheduled_times: ['05:30'] })
  await page.route(`**${SOURCE}`, (route) =>
    route.request().method() === 'DELETE' ? route.fulfill({ status: 400, json: {} }) : route.continue(),
  )
  await source(page).getByRole('button', { name: 'Remove', exact: true }).click()
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(page.getByText('Failed to remove Source schedule')).toBeVisible()
  await page.unroute(`**${SOURCE}`)
  await source(page).getByRole('button', { name: 'Remove', exact: true }).click()
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(page.getByText('Source schedule removed')).toBeVisible()
  await expect(source(page).getByText('No times yet')).toBeVisible()
  expect(await send(page, 'GET', SOURCE)).toMatchObject({ scheduled_times: [] })
})

test('of two users who edit the run-all times, the second gets a conflict, keeps the input, and saves it with the newer times', async ({
  page,
}) => {
  for (const [card, path, saved] of [
    [sync(page), SYNC, 'Schedule saved successfully'],
    [source(page), SOURCE, 'Source schedule saved'],
  ] as const) {
    await card.getByRole('textbox', { name: 'Times' }).fill('04:00,')
    await send(page, 'POST', path, { scheduled_times: ['05:00'] })
    await card.getByRole('button', { name: 'Save' }).click()
    await expect(card.getByRole('alert')).toContainText('Another user changed this in the meantime.')
    await expect(card.getByRole('button', { name: 'Remove 04:00' })).toBeVisible()
    await card.getByRole('button', { name: 'Load again' }).click()
    await expect(card.getByRole('button', { name: 'Remove 05:00' })).toBeVisible()
    await expect(card.getByText('with your changes applied')).toBeVisible()
    await card.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText(saved)).toBeVisible()
    expect(await send(page, 'GET', path)).toMatchObject({ scheduled_times: ['04:00', '05:00'] })
  }
})

test('a failed load or save is reported, and the input stays', async ({ page }) => {
  await page.route(`**${SYNC}`, (route) => route.fulfill({ status: 500, json: {} }))
  await page.route(`**${SOURCE}`, (route) => route.fulfill({ status: 500, json: {} }))
  await sync(page).getByRole('textbox', { name: 'Times' }).fill('04:00')
  await sync(page).getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Failed to save schedule', { exact: true })).toBeVisible()
  await expect(sync(page).getByRole('button', { name: 'Remove 04:00' })).toBeVisible()
  await source(page).getByRole('textbox', { name: 'Times' }).fill('05:00')
  await source(page).getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Failed to save Source schedule', { exact: true })).toBeVisible()
  await page.reload()
  await expect(sync(page).getByRole('alert')).toContainText('Failed to load schedule')
  await expect(source(page).getByRole('alert')).toContainText('Failed to load Source schedule')
  await page.unroute(`**${SYNC}`)
  await sync(page).getByRole('button', { name: 'Try again' }).click()
  await expect(sync(page).getByText('No times yet')).toBeVisible()
})

test('a preset in use cannot be deleted; an empty list explains presets', async ({ page }) => {
  const type = await addType(page, 'Preset users')
  const name = 'In use'
  const preset = await send(page, 'POST', '/api/sync_presets', { name, excluded_fields: ['Cost'] })
  const sync_preset_id = SyncPreset.parse(preset).id
  const task = await addTask(page, type, 'Uses a preset', [['SKU', 'Cost']])
  await send(page, 'PUT', `/api/sync_tasks/${task.id}`, { sync_preset_id })
  await page.reload()
  await page.getByRole('button', { name: 'Delete In use' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('This preset is used by 1 task.')).toBeVisible()
  await expect(page.getByRole('row', { name: /In use/ })).toBeVisible()
  await send(page, 'DELETE', `/api/sync_tasks/${task.id}`)
  await page.route('**/api/sync_presets', (route) => route.fulfill({ json: [] }))
  await page.reload()
  await expect(page.getByRole('heading', { name: 'No sync presets yet' })).toBeVisible()
})

test('a preset that a colleague’s task uses keeps its fields; the edited list becomes a new preset', async ({
  page,
}) => {
  const type = await addType(page, 'Lent presets')
  const name = 'No salaries'
  const preset = await send(page, 'POST', '/api/sync_presets', { name, excluded_fields: ['Salary', 'Cost'] })
  const sync_preset_id = SyncPreset.parse(preset).id
  const task = await addTask(page, type, 'Lends a preset', [['SKU', 'Cost']])
  await send(page, 'PUT', `/api/sync_tasks/${task.id}`, { sync_preset_id })
  await page.goto('/auth/login?login_hint=eve@example.com&return_to=/settings')
  await page.getByRole('button', { name: `Edit ${name}` }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Skipped fields' }).fill('Cost')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Save your list as a new preset.')
  await dialog.getByRole('button', { name: 'Add as new preset' }).click()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Costs only')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('row', { name: /Costs only/ })).toBeVisible()
  await expect(page.getByRole('row', { name: /No salaries/ })).toContainText('Salary, Cost')
})

test('presets are added, edited and deleted', async ({ page }) => {
  await page.getByRole('button', { name: 'Add preset' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('Name at least one field to skip')).toBeVisible()
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toBeFocused()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('No costs')
  await dialog.getByRole('textbox', { name: 'Skipped fields' }).fill('Cost\nMargin, net')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Sync preset added')).toBeVisible()
  const row = page.getByRole('row', { name: /No costs/ })
  await expect(row).toContainText('Cost, Margin, net')

  await row.getByRole('button', { name: 'Edit No costs' }).click()
  const preset = (await listPresets(page)).find(({ name }) => name === 'No costs')
  await send(page, 'PUT', `/api/sync_presets/${preset?.id}`, { excluded_fields: ['Elsewhere'] })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Without costs')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Another user changed this in the meantime.')
  await dialog.getByRole('button', { name: 'Load again' }).click()
  await expect(dialog.getByRole('textbox', { name: 'Skipped fields' })).toHaveValue('Elsewhere')
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('Without costs')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Sync preset updated')).toBeVisible()

  await page.getByRole('button', { name: 'Delete Without costs' }).click()
  await expect(dialog).toContainText('Delete the preset “Without costs”?')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Sync preset deleted')).toBeVisible()
  await expect(page.getByRole('row', { name: /Without costs/ })).toHaveCount(0)
})

async function listPresets(page: Page): Promise<{ id: number; name: string }[]> {
  return syncPresets.list.reply.parse(await send(page, 'GET', '/api/sync_presets'))
}

test('the index of the settings opens a section by address, marks the one in view and works by keyboard', async ({
  page,
}) => {
  await signIn(page)
  // another page first, so that this is no change of the address within the page
  await page.goto('/users')
  await page.goto('/settings#alarms')
  const index = page.getByRole('navigation', { name: 'Sections of the settings' })
  const alarms = page.getByRole('heading', { name: 'Alarms', level: 2 })
  await expect(alarms).toBeInViewport()
  await expect(alarms).toBeFocused()
  await expect(index.getByRole('link', { name: 'Alarms' })).toHaveAttribute('aria-current', 'location')

  // Its section is loaded on demand.
  await expect(index.getByRole('link', { name: 'Folders' })).toBeVisible()
  await index.getByRole('link', { name: 'Alarms' }).focus()
  await page.keyboard.press('ArrowLeft')
  await expect(index.getByRole('link', { name: 'Folders' })).toBeFocused()
  await page.keyboard.press('ArrowRight')
  for (let steps = 0; steps < 7; steps++) await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/settings#schedules')
  await expect(page.getByRole('heading', { name: 'Schedules', level: 2 })).toBeFocused()
  await expect(index.getByRole('link', { name: 'Schedules' })).toHaveAttribute('aria-current', 'location')

  await page.setViewportSize({ width: 390, height: 844 })
  await index.getByRole('link', { name: 'Connections' }).click()
  await expect(page.getByRole('heading', { name: 'Connections', level: 2 })).toBeInViewport()
  await expect(index).toBeInViewport()
})
