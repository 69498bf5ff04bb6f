import type { Page } from '@playwright/test'
import { addTask, addType } from './add-task.ts'
import { expect, test } from './app-test.ts'
import { showTask, signIn } from './as-ada.ts'
import { findsNothing } from './axe.ts'

async function become(page: Page, person: string): Promise<void> {
  // A request of the page that is left would be refused in the session of the other person, and ask to sign in again.
  await page.goto('about:blank')
  await page.goto(`/auth/login?login_hint=${person}@example.com`)
  await expect(page.getByRole('heading', { name: 'Sync Tasks', level: 1 })).toBeVisible()
}

test("the dialog shows the run account, a save warns, and the task's page reassigns it", async ({ page }) => {
  // axe checks each state four times.
  test.slow()
  await signIn(page)
  const type = await addType(page, 'Lent grants')
  const task = await addTask(page, type, 'Lent', [['SKU'], ['A']])
  await page.goto(`/sync_tasks/${task.id}`)
  await expect(page.getByText('Runs use your Google account.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Run with my account' })).toHaveCount(0)

  await become(page, 'eve')
  const row = await showTask(page, task.name)
  await row.getByRole('button', { name: /^More actions/ }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('Runs use the Google account of ada@example.com.')).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Start row' }).fill('2')
  await expect(
    dialog.getByText(
      'Runs will use your Google account instead of ada@example.com: you change what is copied.',
    ),
  ).toBeVisible()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Sync task updated successfully')).toBeVisible()
  await expect(page.getByText(/^Saved, but the source spreadsheet cannot be opened: /)).toBeVisible()

  await become(page, 'ada')
  await page.goto(`/sync_tasks/${task.id}`)
  await expect(page.getByText('Runs use the Google account of eve@example.com.')).toBeVisible()
  await findsNothing(page, 'the account of a task')
  await page.getByRole('button', { name: 'Run with my account' }).press('Enter')
  await expect(dialog).toContainText('with your Google account')
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await findsNothing(page, 'Run with my account')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByText(`${task.name} runs with your Google account now`)).toBeVisible()
  await expect(page.getByText('Runs use your Google account.')).toBeVisible()
})
