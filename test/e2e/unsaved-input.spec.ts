import type { Page } from '@playwright/test'
import { addTask, addType } from './add-task.ts'
import { expect, test } from './app-test.ts'
import { openList, send } from './as-ada.ts'

const question = (page: Page) => page.getByRole('dialog', { name: 'Discard changes?' })
const answer = (page: Page, name: 'Keep editing' | 'Discard') =>
  question(page).getByRole('button', { name }).click()

test.beforeEach(async ({ page }) => openList(page))

test('Escape, Cancel and the cross ask for confirmation before a dialog discards input; without input they close it at once', async ({
  page,
}) => {
  const dialog = page.getByRole('dialog', { name: 'Add Sync Task' })
  const name = dialog.getByRole('textbox', { name: 'Name' })
  await page.getByRole('button', { name: 'Add task' }).first().click()
  await expect(name).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)

  await page.getByRole('button', { name: 'Add task' }).first().click()
  await name.fill('Half typed')
  for (const close of [
    () => page.keyboard.press('Escape'),
    () => dialog.getByRole('button', { name: 'Cancel' }).click(),
    () => dialog.getByRole('button', { name: 'Close dialog' }).click(),
  ]) {
    await close()
    await expect(question(page).getByRole('button', { name: 'Keep editing' })).toBeFocused()
    // Escape keeps the input
    await page.keyboard.press('Escape')
    await expect(question(page)).toHaveCount(0)
    await expect(name).toHaveValue('Half typed')
  }
  await page.keyboard.press('Escape')
  await answer(page, 'Discard')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('a time that is typed but not added counts as input', async ({ page }) => {
  await page.getByRole('button', { name: 'Add task' }).first().click()
  const times = page.getByRole('dialog').getByRole('textbox', { name: 'Scheduled times' })
  await times.fill('05')
  await page.keyboard.press('Escape')
  await answer(page, 'Keep editing')
  await expect(times).toHaveValue('05')
})

test('the dialogs of types, presets and columns ask for confirmation, too', async ({ page }, { testId }) => {
  const task = await addTask(page, await addType(page, `Asks ${testId}`), `Asks ${testId}`, [
    ['SKU', 'Price'],
    ['007', 1.5],
  ])
  const asks = async (change: () => Promise<void>) => {
    await change()
    await page.keyboard.press('Escape')
    await answer(page, 'Keep editing')
    await expect(page.getByRole('dialog')).toHaveCount(1)
    await page.keyboard.press('Escape')
    await answer(page, 'Discard')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
  await page.goto('/sync_task_types')
  await page.getByRole('button', { name: 'Add Type' }).first().click()
  await asks(() => page.getByRole('textbox', { name: 'Type Name' }).fill('Half'))
  await page.goto('/settings')
  await page.getByRole('button', { name: 'Add preset' }).click()
  await asks(() => page.getByRole('textbox', { name: 'Skipped fields' }).fill('Remark'))
  await send(page, 'POST', `/api/sync_tasks/${task.id}/execute`)
  await page.goto(`/sync_tasks/${task.id}`)
  await expect(page.getByRole('region', { name: 'State' })).toContainText('Success')
  await page.goto(`/sync_tasks/${task.id}/data_copy`)
  await page.getByRole('button', { name: 'Select Columns' }).click()
  await asks(() => page.getByRole('checkbox', { name: 'Price' }).uncheck())
})

test('an unsaved settings card asks for confirmation before a link, Back and closing the tab', async ({
  page,
}) => {
  const card = page.getByRole('region', { name: 'Run All: sync tasks' })
  const times = card.getByRole('textbox', { name: 'Times' })
  const follow = (label: string) =>
    page.getByRole('navigation').getByRole('link', { name: label, exact: true }).click()
  await follow('Settings')
  await times.fill('6:1')

  await follow('Task Types')
  await answer(page, 'Keep editing')
  await expect(page).toHaveURL('/settings')
  await expect(times).toHaveValue('6:1')
  await times.fill('6:15')
  await times.press('Enter')
  await page.goBack()
  await answer(page, 'Keep editing')
  await expect(page).toHaveURL('/settings')
  await expect(card.getByText('Not saved yet')).toBeVisible()

  const asked = page.waitForEvent('dialog')
  await page.close({ runBeforeUnload: true })
  const browser = await asked
  expect(browser.type()).toBe('beforeunload')
  await browser.dismiss()

  await page.goBack()
  await answer(page, 'Discard')
  await expect(page).toHaveURL('/sync_tasks')
})

test('an open dialog with input asks for confirmation before another page, but not when filters change the address', async ({
  page,
}) => {
  await page.goto('/sync_task_types')
  await page.getByRole('navigation').getByRole('link', { name: 'Sync Tasks', exact: true }).click()
  await page.getByRole('button', { name: 'Add task' }).first().click()
  const name = page.getByRole('dialog').getByRole('textbox', { name: 'Name' })
  await name.fill('Half typed')
  await page.goBack()
  await answer(page, 'Keep editing')
  await expect(page).toHaveURL('/sync_tasks')
  await expect(name).toHaveValue('Half typed')
  await page.goBack()
  await answer(page, 'Discard')
  await expect(page).toHaveURL('/sync_task_types')
})

test('the shortcut for adding does nothing while a dialog is open', async ({ page }, { testId }) => {
  const name = `Kept ${testId}`
  await addType(page, name)
  await page.goto('/sync_task_types')
  await page.getByRole('button', { name: `Edit ${name}` }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Sync Task Type' })
  await dialog.getByRole('textbox', { name: 'Type Name' }).fill(`${name} anew`)
  await dialog.getByRole('button', { name: 'Cancel' }).focus()
  await page.keyboard.press('n')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Task type updated successfully')).toBeVisible()
})
