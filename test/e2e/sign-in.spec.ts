import type { Page } from '@playwright/test'
import { expect, test } from './app-test.ts'
import { openList } from './as-ada.ts'

test('a protected page redirects to / with the login dialog, and back after the sign-in', async ({
  page,
}) => {
  await page.goto('/sync_tasks?q=prices&status=Failed')
  await expect(page).toHaveURL('/')
  await page.getByRole('dialog', { name: 'Login Required' }).getByRole('link').click()
  await page.getByText('ada@example.com').click()
  await expect(page).toHaveURL('/sync_tasks?q=prices&status=Failed')
  await expect(page.getByRole('heading', { name: 'Sync Tasks', level: 1 })).toBeVisible()
  // the remembered path is used only once
  await page.goto('/')
  await expect(page.getByText('Sync All Your SpreadSheets Data.')).toBeVisible()
})

test('a page that opens without sign-in shows its data only after sign-in', async ({ page }) => {
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

test('a failed sign-in shows the reason', async ({ page }) => {
  await page.goto('/?sign_in_error=cancelled')
  await expect(page.getByRole('alert')).toHaveText('Sign-in was cancelled.')
})

test('signing out ends the session, clears the user and the saved path, and protected pages require sign-in', async ({
  page,
}) => {
  await openList(page)
  await page.getByRole('button', { name: 'account of Ada Fields' }).click()
  await expect(page.getByText('ada@example.com', { exact: true })).toBeVisible()
  await page.evaluate(() => sessionStorage.setItem('rowferry.redirect_path', '/settings'))
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page.getByRole('banner').getByRole('button', { name: 'Sign in' })).toBeVisible()
  expect(await page.evaluate(() => sessionStorage.getItem('rowferry.redirect_path'))).toBeNull()
  expect((await page.request.get('/api/sync_tasks')).status()).toBe(401)
  await page.getByRole('link', { name: 'Sync Tasks', exact: true }).click()
  await expect(page.getByRole('dialog', { name: 'Login Required' })).toBeVisible()
})

test('if a session ends while a page is open, the page stays and requires sign-in', async ({ page }) => {
  await openList(page)
  await page.goto('/sync_task_types')
  await page.getByRole('button', { name: 'Add Type' }).first().click()
  await page.getByLabel('Type Name').fill('Typed before the session ended')
  await page.context().clearCookies()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('dialog', { name: 'Login Required' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByLabel('Type Name')).toHaveValue('Typed before the session ended')
  // the page is signed out although the last check was less than 30 s ago
  await expect(page.getByRole('banner').getByText('Sign in')).toBeVisible()
})

/** Counts the session checks from now on. */
function countChecks(page: Page): () => number {
  let checks = 0
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/auth/check') checks += 1
  })
  return () => checks
}

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Login Required' })

test('a spinner shows until the first, shared authentication check finishes', async ({ page }) => {
  const checks = countChecks(page)
  let answer = () => {}
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/auth/check', async (route) => {
    await held
    await route.continue()
  })
  await page.goto('/settings')
  await expect(page.getByRole('status', { name: 'Loading' })).toBeVisible()
  await expect(page.getByRole('main')).toHaveCount(0)
  answer()
  await expect(dialog(page)).toBeVisible()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0)
  expect(checks()).toBe(1)
})

test('every protected route stores its path, raises "show-login" and redirects to /; old addresses store /source_tasks', async ({
  page,
}) => {
  await page.addInitScript(() => {
    window.addEventListener('show-login', () => sessionStorage.setItem('raised', 'yes'))
  })
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  /** Navigates to a path within the app and returns the path that was remembered for after the sign-in. */
  const keptOf = async (path: string) => {
    await page.evaluate((address) => {
      sessionStorage.clear()
      // The router numbers its history entries to return to the right one when unsaved input blocks navigation.
      const state = { ...history.state, idx: history.state.idx + 1 }
      history.pushState(state, '', address)
      window.dispatchEvent(new PopStateEvent('popstate', { state }))
    }, path)
    await page.waitForFunction(() => sessionStorage.getItem('raised') && location.pathname === '/')
    return page.evaluate(() => sessionStorage.getItem('rowferry.redirect_path'))
  }
  for (const path of [
    '/sync_tasks',
    '/sync_tasks/7',
    '/sync_tasks/7/logs',
    '/settings',
    '/sync_task_types',
    '/source_tasks',
    '/source_tasks/7/logs',
    '/source-task-types',
    '/source-task-types/new',
    '/source-task-types/7/edit',
    '/source-schedule',
    '/compiler',
    '/unified-task-types',
    '/users',
  ])
    expect(await keptOf(path)).toBe(path)
  for (const path of [
    '/source_tasks_sync',
    '/source_tasks_grouped',
    '/source-tasks-dashboard',
    '/source_tasks_manage',
  ])
    expect(await keptOf(path)).toBe('/source_tasks')
  await expect(dialog(page)).toBeVisible()
})

test('the routes without sign-in open', async ({ page }) => {
  for (const path of ['/schedule', '/sync_tasks/7/data_copy', '/dev', '/import_export']) {
    await page.goto(path)
    await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page).toHaveURL(path)
  }
})

test('an old address leads to /source_tasks after the sign-in', async ({ page }) => {
  await openList(page)
  await page.goto('/source_tasks_grouped')
  await expect(page).toHaveURL('/source_tasks')
})

test('a page left before its sign-in check ended does not redirect back to itself', async ({ page }) => {
  await openList(page)
  let held = false
  await page.route('**/auth/check', async (route) => {
    if (held) return route.continue()
    held = true
  })
  const asked = page.waitForRequest('**/auth/check')
  await page.goto('/settings', { waitUntil: 'commit' })
  await asked
  await page.goto('/source-task-types')
  await expect(page.getByRole('heading', { name: 'Source Task Types', level: 1 })).toBeVisible()
  await expect(page).toHaveURL('/source-task-types')
  expect(await page.evaluate(() => sessionStorage.getItem('rowferry.redirect_path'))).toBeNull()
})

test('a page requested before the sign-in does not replace one requested after it', async ({ page }) => {
  await page.goto('/settings')
  await expect(dialog(page)).toBeVisible()
  await page.request.get('/auth/login?login_hint=ada@example.com')
  await page.goto('/source-task-types')
  await expect(page.getByRole('heading', { name: 'Source Task Types', level: 1 })).toBeVisible()
  await expect(page).toHaveURL('/source-task-types')
  expect(await page.evaluate(() => sessionStorage.getItem('rowferry.redirect_path'))).toBeNull()
})

test('without a saved path the sign-in redirects to /sync_tasks', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).click()
  await expect(dialog(page).getByRole('link', { name: 'Sign in with Google' })).toHaveAttribute(
    'href',
    '/auth/login?return_to=%2Fsync_tasks',
  )
})

test('a user who signed in in another tab is admitted: one shared check runs per protected route', async ({
  page,
}) => {
  await page.goto('/')
  await expect(page.getByRole('banner').getByRole('button', { name: 'Sign in' })).toBeVisible()
  await page.request.get('/auth/login?login_hint=ada@example.com')
  const checks = countChecks(page)
  await page
    .getByRole('main')
    .getByRole('link', { name: /Sync Tasks/ })
    .click()
  await expect(page.getByRole('heading', { name: 'Sync Tasks', level: 1 })).toBeVisible()
  expect(checks()).toBe(1)
})

test('an authenticated state is trusted for 30 seconds without a call; a failed check redirects to / as signed out, until the next one', async ({
  page,
}) => {
  await openList(page)
  await page.clock.install()
  const follow = (name: string) =>
    page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click()
  await page.goto('/settings')
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible()
  const checks = countChecks(page)
  await page.clock.runFor(15_000)
  await follow('Task Types')
  await expect(page.getByRole('heading', { name: 'Sync Task Types', level: 1 })).toBeVisible()
  expect(checks()).toBe(0)
  await page.clock.runFor(16_000)
  await follow('Settings')
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible()
  expect(checks()).toBe(1)

  await page.clock.runFor(31_000)
  await page.route('**/auth/check', (route) => route.fulfill({ status: 500, json: {} }))
  await follow('Task Types')
  await expect(dialog(page)).toBeVisible()
  await expect(page).toHaveURL('/')
  await expect(page.locator('.toast')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('banner').getByRole('button', { name: 'Sign in' })).toBeVisible()
  await page.unroute('**/auth/check')
  await page.clock.runFor(31_000)
  await expect(page.getByRole('button', { name: 'account of Ada Fields' })).toBeVisible()
})

test('a failed sign-out keeps the state and shows no message', async ({ page }) => {
  await openList(page)
  for (const answer of [{ status: 500, json: {} }, { json: { success: false } }]) {
    await page.route('**/auth/logout', (route) => route.fulfill(answer))
    const answered = page.waitForResponse('**/auth/logout')
    await page.getByRole('button', { name: 'account of Ada Fields' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await answered
    await expect(page.getByRole('button', { name: 'account of Ada Fields' })).toBeVisible()
    await expect(page.locator('.toast')).toHaveCount(0)
    await expect(page).toHaveURL('/sync_tasks')
  }
})

test('all calls accept JSON and send the anti-forgery cookie as a header', async ({ page }) => {
  await openList(page)
  const call = page.waitForRequest('**/api/sync_task_types')
  await page.goto('/sync_task_types')
  const headers = await (await call).allHeaders()
  const cookie = (await page.context().cookies()).find(({ name }) => name === 'XSRF-TOKEN')
  expect(headers.accept).toBe('application/json')
  expect(headers['x-xsrf-token']).toBe(decodeURIComponent(cookie?.value ?? 'none'))
})
