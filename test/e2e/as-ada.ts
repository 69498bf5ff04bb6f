import type { Locator, Page } from '@playwright/test'
import { expect } from './app-test.ts'

/** Signs Ada in without the account chooser and without opening a page. */
export async function signIn(page: Page): Promise<void> {
  await expect(await page.request.get('/auth/login?login_hint=ada@example.com')).toBeOK()
}

/** Signs Ada in and opens the list of tasks. */
export async function openList(page: Page): Promise<void> {
  await signIn(page)
  await page.goto('/sync_tasks')
  await expect(page.getByRole('heading', { name: 'Sync Tasks', level: 1 })).toBeVisible()
}

/** Sends a request with the page's session, to set up data that is not under test. Returns the reply's JSON. */
export async function send(page: Page, method: string, path: string, body?: object): Promise<unknown> {
  const token = (await page.context().cookies()).find(({ name }) => name === 'XSRF-TOKEN')?.value ?? ''
  const reply = await page.request.fetch(path, {
    method,
    headers: { 'x-xsrf-token': decodeURIComponent(token) },
    ...(body === undefined ? {} : { data: body }),
  })
  if (!reply.ok()) throw new Error(`${method} ${path}: ${reply.status()} ${await reply.text()}`)
  return reply.status() === 204 ? null : reply.json()
}

/** Opens the list filtered by this task: the list renders only visible rows. */
export async function showTask(page: Page, name: string): Promise<Locator> {
  await page.goto(`/sync_tasks?q=${encodeURIComponent(name)}`)
  return page.getByRole('article', { name })
}
