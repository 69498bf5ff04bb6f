import type { Page } from '@playwright/test'
import { users } from '../../src/contract/users/calls.ts'
import { expect, test } from './app-test.ts'
import { send, signIn } from './as-ada.ts'

const BEN = 'ben@example.com'

const row = (page: Page, email: string) => page.getByRole('row', { name: new RegExp(email) })

// one sign-in creates the user
let met = false
test.beforeEach(async ({ page, browser }) => {
  if (!met) {
    const other = await browser.newContext({ baseURL: process.env.ROWFERRY_URL })
    await (await other.newPage()).goto(`/auth/login?login_hint=${BEN}`)
    await other.close()
    met = true
  }
  await signIn(page)
})

test('the landing page links to the team members, which need sign-in', async ({ page, browser }) => {
  await page.goto('/')
  await page.getByRole('link', { name: /View Users.*View the team members\./ }).click()
  await expect(page).toHaveURL('/users')
  await expect(row(page, BEN)).toBeVisible()
  const stranger = await browser.newContext({ baseURL: process.env.ROWFERRY_URL })
  const elsewhere = await stranger.newPage()
  await elsewhere.goto('/users')
  await expect(elsewhere.getByRole('dialog', { name: 'Login Required' })).toBeVisible()
  await stranger.close()
})

test('users show name, address, last sign-in in EST and the state of their Google access', async ({
  page,
}) => {
  await page.goto('/users')
  await expect(row(page, 'ada@example.com')).toContainText('(you)')
  await expect(row(page, 'ada@example.com')).toContainText(/\d{4}, \d\d:\d\d EST/)
  await expect(row(page, BEN)).toContainText('Connected')
})

test('a user shares their own account and withdraws it', async ({ page }) => {
  await page.goto('/users')
  const share = page.getByRole('switch', { name: 'Let colleagues’ tasks use my account' })
  await expect(share).not.toBeChecked()
  await share.click()
  await expect(page.getByText('Colleagues’ tasks may use your account now')).toBeVisible()
  await expect(share).toBeChecked()
  await page.reload()
  await expect(share).toBeChecked()
  await expect(row(page, 'ada@example.com')).toContainText('Yes')
  await share.press('Space')
  await expect(share).not.toBeChecked()
  await expect(page.getByText('Colleagues’ tasks may no longer use your account')).toBeVisible()
})

test('Google is disconnected only after a confirmation, for oneself and for a colleague, and connected again', async ({
  page,
}) => {
  // Runs that are still cleaning up use an account for minutes; no run uses this one.
  const email = 'dora@example.com'
  await expect(await page.request.get(`/auth/login?login_hint=${email}`)).toBeOK()
  await page.goto('/users')
  const name = await nameOf(page, BEN)
  const dialog = page.getByRole('dialog', { name: 'Disconnect Google' })
  await row(page, BEN)
    .getByRole('button', { name: `Disconnect Google of ${name}` })
    .click()
  await expect(dialog).toContainText(`Disconnect the Google account of ${name}?`)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(row(page, BEN)).toContainText('Connected')
  await page.getByRole('button', { name: 'Disconnect Google', exact: true }).press('Enter')
  await dialog.getByRole('button', { name: 'Disconnect' }).click()
  await expect(page.getByText('is disconnected', { exact: false }).first()).toBeVisible()
  await expect(row(page, email)).toContainText('Not connected')
  await page.getByRole('link', { name: 'Reconnect' }).click()
  await expect(row(page, email)).toContainText('Connected')
  await expect(page.getByRole('button', { name: 'Disconnect Google', exact: true })).toBeVisible()
})

test('a user is disabled only after a confirmation, and enabled again', async ({ page }) => {
  await page.goto('/users')
  const name = await nameOf(page, BEN)
  await row(page, BEN)
    .getByRole('button', { name: `Disable ${name}` })
    .click()
  const dialog = page.getByRole('dialog', { name: 'Disable user' })
  await expect(dialog).toContainText('All sessions and the Google access end at once.')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await row(page, BEN).getByRole('button', { name: 'Disable' }).click()
  await dialog.getByRole('button', { name: 'Disable' }).click()
  await expect(row(page, BEN)).toContainText('Disabled')
  await row(page, BEN).getByRole('button', { name: 'Enable' }).click()
  await expect(page.getByText(`${name} may sign in again`)).toBeVisible()
  await expect(row(page, BEN).getByRole('button', { name: 'Disable' })).toBeVisible()
  await expect(row(page, 'ada@example.com').getByRole('button')).toHaveCount(0)
})

test('a revoked access is shown and reconnected with one click', async ({ page }) => {
  const list = await page.request.get('/api/users')
  const revoked = users.list.reply
    .parse(await list.json())
    .map((user) => (user.email === 'ada@example.com' ? { ...user, grant: 'revoked' } : user))
  await page.route('**/api/users', (route) => route.fulfill({ json: revoked }))
  await page.goto('/users')
  await expect(row(page, 'ada@example.com')).toContainText('Revoked')
  await expect(page.getByText('Rowferry has lost access to your spreadsheets')).toBeVisible()
  await page.unroute('**/api/users')
  await page.getByRole('link', { name: 'Reconnect' }).click()
  await expect(page).toHaveURL('/users')
  await expect(row(page, 'ada@example.com')).toContainText('Connected')
})

test('a failed load of users is shown', async ({ page }) => {
  await page.route('**/api/users', (route) => route.fulfill({ status: 500, json: {} }))
  await page.goto('/users')
  await expect(page.getByRole('main').getByRole('alert')).toContainText('Failed to load users.')
})

async function nameOf(page: Page, email: string): Promise<string> {
  const list = users.list.reply.parse(await send(page, 'GET', '/api/users'))
  return list.find((user) => user.email === email)?.name ?? ''
}
