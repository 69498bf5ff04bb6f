import { expect, test } from './app-test.ts'
import { signIn } from './as-ada.ts'

const lines = [
  { level: 'info', time: '2026-01-31T04:00:00.000Z', message: 'first', details: '' },
  { level: 'warn', time: '2026-01-31T04:00:01.000Z', message: 'second', details: '{"ms":12}' },
  { level: 'error', time: '2026-01-31T04:00:02.000Z', message: 'third', details: '' },
]

test('the page opens without sign-in and offers it', async ({ page }) => {
  await page.goto('/dev')
  await page.getByRole('button', { name: 'Close dialog' }).click()
  await expect(page.getByRole('heading', { name: 'Login Required' })).toBeVisible()
  await page.getByRole('link', { name: 'Back to Home' }).click()
  await expect(page).toHaveURL('/')
})

test.describe('signed in', () => {
  test.beforeEach(async ({ page }) => signIn(page))

  test('the file of the api is the default, another one can be chosen, and the address keeps it', async ({
    page,
  }) => {
    await page.goto('/dev')
    const select = page.getByRole('combobox', { name: 'Log file' })
    await expect(select).toHaveValue('api')
    await select.selectOption('worker')
    await expect(page).toHaveURL(/file=worker/)
    await page.reload()
    await expect(select).toHaveValue('worker')
  })

  test('a file is cleared after a confirmation that names what is lost', async ({ page }) => {
    await page.goto('/dev?file=worker')
    await page.getByRole('button', { name: 'Clear Logs' }).click()
    const dialog = page.getByRole('dialog', { name: 'Confirm Clear Logs' })
    await expect(dialog).toContainText('Its entries about past failures are lost.')
    await dialog.getByRole('button', { name: 'Clear Logs' }).click()
    await expect(page.getByText('Log file cleared successfully')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'No logs found.' })).toBeVisible()
  })

  test('a file that does not exist is not found, neither to read nor to clear', async ({ page }) => {
    await page.goto('/dev?file=../../etc/passwd')
    await expect(page.getByText('Log file not found').first()).toBeVisible()
    await page.goto('/dev')
    await expect(page.getByRole('combobox', { name: 'Log file' })).toBeVisible()
    await page.route('**/dev/logs?*', (route) =>
      route.request().method() === 'DELETE' ? route.fulfill({ status: 404, json: {} }) : route.continue(),
    )
    await page.getByRole('button', { name: 'Clear Logs' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Clear Logs' }).click()
    await expect(page.getByText('Log file not found, nothing to clear')).toBeVisible()
  })

  test('lines are shown newest first, and copied as text in the order of the file', async ({
    page,
    context,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.route('**/dev/logs?*', (route) =>
      route.fulfill({ json: { file: 'api', bytes: 300, truncated: true, lines } }),
    )
    await page.goto('/dev')
    const rows = page.getByRole('table', { name: 'Log' }).getByRole('row')
    await expect(rows.nth(1)).toContainText('ERROR')
    await expect(rows.nth(2)).toContainText('WARN')
    await expect(rows.nth(2)).toContainText('{"ms":12}')
    await expect(rows.nth(3)).toContainText('INFO')
    await expect(page.getByText('3 lines, newest first. Only the end of this file is shown.')).toBeVisible()
    await page.getByRole('button', { name: 'Copy Logs' }).click()
    await expect(page.getByText('Logs copied to clipboard')).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      '2026-01-31T04:00:00.000Z INFO first\n2026-01-31T04:00:01.000Z WARN second {"ms":12}\n2026-01-31T04:00:02.000Z ERROR third',
    )
    await page.evaluate(() => {
      Object.defineProperty(navigator, 'clipboard', { value: undefined })
    })
    await page.getByRole('button', { name: 'Copy Logs' }).click()
    await expect(page.getByText('Failed to copy logs')).toBeVisible()
  })

  test('lines are filtered by level and text, and requests for page files are left out unless wanted', async ({
    page,
  }) => {
    const request = (path: string) => ({
      ...lines[0],
      message: 'request',
      details: JSON.stringify({ method: 'GET', path }),
    })
    const all = [...lines, request('/assets/index.js'), request('/api/sync_tasks')]
    await page.route('**/dev/logs?*', (route) =>
      route.fulfill({ json: { file: 'api', bytes: 300, truncated: false, lines: all } }),
    )
    await page.goto('/dev')
    const rows = page.getByRole('table', { name: 'Log' }).getByRole('row')
    await expect(page.getByText('4 of 5 lines, newest first')).toBeVisible()
    await page.getByRole('switch', { name: 'Requests for page files' }).click()
    await expect(page.getByText('5 lines, newest first')).toBeVisible()
    await page.getByRole('combobox', { name: 'Level' }).selectOption('Warnings and errors')
    await expect(rows).toHaveCount(3)
    await page.getByRole('searchbox', { name: 'Search the log' }).fill('thi')
    await expect(rows).toHaveCount(2)
    await expect(page).toHaveURL('/dev?assets=1&level=warn&q=thi')
    await page.reload()
    await expect(rows).toHaveCount(2)
    await page.getByRole('searchbox', { name: 'Search the log' }).fill('nowhere')
    await expect(page.getByRole('heading', { name: 'No line matches these filters' })).toBeVisible()
  })

  test('each failure has its own message', async ({ page }) => {
    await page.route('**/dev/logs?*', (route) => route.fulfill({ status: 500, json: {} }))
    await page.goto('/dev')
    await expect(page.getByText('Error fetching logs').first()).toBeVisible()
    await page.unroute('**/dev/logs?*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.route('**/dev/logs?*', (route) => route.fulfill({ status: 500, json: {} }))
    await page.getByRole('button', { name: 'Clear Logs' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Clear Logs' }).click()
    await expect(page.getByText('Error clearing logs')).toBeVisible()
    await page.route('**/dev/logs/files', (route) => route.fulfill({ status: 500, json: {} }))
    await page.goto('/dev')
    await expect(page.getByText('Error fetching log files').first()).toBeVisible()
  })
})
