import type { Page } from '@playwright/test'
import { ServiceAccount } from '../../src/contract/service-account/calls.ts'
import { addTask, addType } from './add-task.ts'
import { expect, test } from './app-test.ts'
import { send, signIn } from './as-ada.ts'
import { findsNothing } from './axe.ts'
import { SERVICE_ACCOUNT } from './running-app.ts'

const card = (page: Page) => page.getByRole('region', { name: 'Service account' })
const allowing = (page: Page) => card(page).getByRole('switch', { name: 'Tasks may use the service account' })
const allow = (page: Page, is_allowed: boolean) =>
  send(page, 'PUT', '/api/service_account', { address: SERVICE_ACCOUNT, is_allowed })

test.beforeEach(async ({ page }) => {
  await signIn(page)
  await allow(page, false)
})

test('an administrator allows the service account, and a task then names it', async ({ page }, {
  testId,
}) => {
  await page.goto('/settings')
  await expect(card(page)).toContainText(SERVICE_ACCOUNT)
  await allowing(page).focus()
  await page.keyboard.press('Space')
  await expect(page.getByText('Tasks may use the service account now')).toBeVisible()
  await expect(allowing(page)).toBeChecked()

  await findsNothing(page, 'the service account, allowed')
  const name = `Service ${testId}`
  const task = await addTask(page, await addType(page, name), name, [['SKU'], ['A']])
  await page.goto(`/sync_tasks/${task.id}`)
  await page.getByRole('button', { name: 'Edit' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'Other Google accounts' }).click()
  await page.getByRole('option', { name: `${SERVICE_ACCOUNT} (service account)` }).click()
  await dialog.getByRole('button', { name: /^Save/ }).click()
  await expect(page.getByText(`They may also use ${SERVICE_ACCOUNT}.`)).toBeVisible()

  await page.goto('/settings')
  await expect(card(page)).toContainText('1 sync task names it.')
  await allowing(page).focus()
  await page.keyboard.press('Space')
  await expect(page.getByRole('dialog')).toContainText('fail at their next request')
  await page.getByRole('dialog').getByRole('button', { name: 'Forbid' }).click()
  // The switch changes before the server has answered (optimistic update).
  await expect(page.getByText('Tasks may no longer use the service account')).toBeVisible()
  await expect(allowing(page)).not.toBeChecked()
  expect(ServiceAccount.parse(await send(page, 'GET', '/api/service_account')).is_allowed).toBe(false)
})
