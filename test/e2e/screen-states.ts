import type { Locator, Page } from '@playwright/test'
import { SyncTask, syncTasks } from '../../src/contract/sync-tasks/calls.ts'
import { addTask, addType } from './add-task.ts'
import { expect } from './app-test.ts'
import { send } from './as-ada.ts'

/** Brings a screen from the previous state into this one and returns an element that is visible then. */
export type State = (page: Page) => Promise<Locator>

/** A heading with exactly this text. */
export const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })
export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first()
export const inDialog = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name })
/** The screen's error message. */
export const problem = (page: Page) => page.getByRole('main').getByRole('alert')

/** Signs Ada in and opens a path. */
export const enter = (page: Page, path: string) =>
  page.goto(`/auth/login?login_hint=ada@example.com&return_to=${encodeURIComponent(path)}`)

/** Opens a page without a session and closes its sign-in dialog. */
export const signedOut =
  (path: string): State =>
  async (page) => {
    await page.goto(path)
    await button(page, 'Close dialog').click()
    return heading(page, 'Login Required')
  }

/** Opens a path with mocked replies by URL pattern; null is a network failure. */
export async function withAnswers(page: Page, path: string, answers: Record<string, unknown>): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  for (const [url, json] of Object.entries(answers))
    await page.route(url, (route) => route.fulfill(json === null ? { status: 500, json: {} } : { json }))
  await page.goto(path)
}

/** Returns a task that has been copied once; all tests share it. */
export async function copied(page: Page): Promise<SyncTask> {
  const { syncTasks: list } = syncTasks.list.reply.parse(await send(page, 'GET', '/api/sync_tasks'))
  const known = list.find(({ name }) => name === 'Axe')
  if (known) return known
  const { id } = await addTask(page, await addType(page, 'Axe'), 'Axe', [
    ['SKU', 'Price', 'Active'],
    ['007', 1.5, true],
  ])
  await send(page, 'POST', `/api/sync_tasks/${id}/execute`)
  const read = async () => SyncTask.parse(await send(page, 'GET', `/api/sync_tasks/${id}`))
  await expect.poll(async () => (await read()).task_status).toBe('Success')
  return read()
}
