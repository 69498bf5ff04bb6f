import { tokenMessages } from '../../src/contract/tokens/client-messages.ts'
import { expect, test } from './app-test.ts'

test('a token is created in the account menu, shown once, works for a program, and ends when it is revoked', async ({
  page,
  request,
}) => {
  await page.goto('/auth/login?login_hint=ben@example.com')
  await page.getByRole('button', { name: /^BH?, account of|account of Ben/ }).click()
  await page.getByRole('menuitem', { name: 'API tokens' }).click()
  await expect(page).toHaveURL('/tokens')
  await page.getByRole('button', { name: tokenMessages.make }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Nightly load')
  await dialog.getByRole('radio', { name: 'Run' }).press('Space')
  await dialog.getByRole('button', { name: 'Create token' }).click()

  await expect(page.getByRole('heading', { name: tokenMessages.made })).toBeFocused()
  const token = await page.getByRole('region', { name: tokenMessages.made }).locator('code').innerText()
  const look = () => request.get('/api/sync_tasks', { headers: { authorization: `Bearer ${token}` } })
  expect((await look()).status()).toBe(200)

  await page.reload()
  const row = page.getByRole('row', { name: /Nightly load/ })
  await expect(row).toContainText(`…${token.slice(-4)}`)
  await expect(row).toContainText('Run')
  await expect(page.getByText(token)).toBeHidden()
  await row.getByRole('button', { name: 'Revoke Nightly load' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await expect(row).toBeHidden()
  expect((await look()).status()).toBe(401)
})
