import { expect, test } from './app-test.ts'
import { signIn } from './as-ada.ts'

test('a protected page sends a stranger home with the login dialog, and back to it after the sign-in', async ({
  page,
}) => {
  await page.goto('/sync_tasks?q=prices&status=Failed')
  await expect(page).toHaveURL('/')
  await page.getByRole('dialog', { name: 'Login Required' }).getByRole('link').click()
  await page.getByText('ada@example.com').click()
  await expect(page).toHaveURL('/sync_tasks?q=prices&status=Failed')
  await expect(page.getByRole('heading', { name: 'Sync Tasks', level: 1 })).toBeVisible()
  // the remembered path served once
  await page.goto('/')
  await expect(page.getByText('Sync All Your SpreadSheets Data.')).toBeVisible()
})

test('a page that opens without sign-in shows its data only after it', async ({ page }) => {
  await page.goto('/sync_tasks/1/data_copy')
  await expect(page).toHaveURL('/sync_tasks/1/data_copy')
  await expect(page.getByRole('dialog', { name: 'Login Required' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('heading', { name: 'Login Required' })).toBeVisible()
  await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('dialog', { name: 'Login Required' })).toBeVisible()
})

test('a "show-login" event from anywhere opens the login dialog', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await page.evaluate(() => window.dispatchEvent(new Event('show-login')))
  await expect(page.getByRole('dialog', { name: 'Login Required' })).toBeVisible()
})

test('a sign-in that did not end well says why', async ({ page }) => {
  await page.goto('/?sign_in_error=cancelled')
  await expect(page.getByRole('alert')).toHaveText('Sign-in was cancelled.')
})

test('signing out ends the session, and protected pages ask again', async ({ page }) => {
  await signIn(page)
  await page.getByRole('button', { name: 'account of Ada Fields' }).click()
  await expect(page.getByText('ada@example.com')).toBeVisible()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page.getByRole('banner').getByRole('button', { name: 'Sign in' })).toBeVisible()
  expect((await page.request.get('/api/sync_tasks')).status()).toBe(401)
  await page.getByRole('link', { name: 'Sync Tasks', exact: true }).click()
  await expect(page.getByRole('dialog', { name: 'Login Required' })).toBeVisible()
})

test('a session that ends while a page is open asks for sign-in and keeps the page', async ({ page }) => {
  await signIn(page)
  await page.goto('/sync_task_types')
  await page.getByRole('button', { name: 'Add Type' }).first().click()
  await page.getByLabel('Type Name').fill('Typed before the session ended')
  await page.context().clearCookies()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('dialog', { name: 'Login Required' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByLabel('Type Name')).toHaveValue('Typed before the session ended')
})

test('the menu below the md breakpoint opens with a button and closes on any link', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page)
  await page.getByRole('button', { name: 'Open menu' }).click()
  const menu = page.locator('#mobile-menu')
  await expect(menu.getByRole('link', { name: 'Sync Tasks' })).toHaveAttribute('aria-current', 'page')
  await expect(menu.getByRole('link', { name: 'Home' })).not.toHaveAttribute('aria-current', 'page')
  await menu.getByRole('link', { name: 'Task Types' }).click()
  await expect(menu).toBeHidden()
  await expect(page.getByRole('heading', { name: 'Sync Task Types' })).toBeVisible()
})
