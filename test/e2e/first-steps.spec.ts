import { expect, test } from './app-test.ts'

test('the start page opens without sign-in and offers it', async ({ page }) => {
  await page.goto('/')
  await expect(page).toHaveTitle(/Rowferry/)
  await expect(page.getByText(/sign in/i).first()).toBeVisible()
})

test('a path that does not exist is answered with a page that says so', async ({ page }) => {
  await page.goto('/no-such-page')
  await expect(page.getByRole('heading', { level: 1 })).toContainText(/not found/i)
})

test('the sandbox shows its spreadsheets', async ({ page, sandboxUrl }) => {
  await page.goto(sandboxUrl)
  await expect(page.getByRole('link', { name: /Catalogue master/ })).toBeVisible()
})
