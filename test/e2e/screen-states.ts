import type { Locator, Page } from '@playwright/test'
import { SyncTask, syncTasks } from '../../src/contract/sync-tasks/calls.ts'
import { addTask, addType } from './add-task.ts'
import { expect } from './app-test.ts'
import { send } from './as-ada.ts'

/** Brings a page into a state of one of its screens and returns an element that is visible then; it starts from the state before it. */
export type State = (page: Page) => Promise<Locator>

/** A heading by the whole of its text. */
export const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })
/** The first button of that name. */
export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first()
/** A button of the open dialog. */
export const inDialog = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name })
/** The error message of the screen. */
export const problem = (page: Page) => page.getByRole('main').getByRole('alert')

/** Signs Ada in and opens a path. */
export const enter = (page: Page, path: string) =>
  page.goto(`/auth/login?login_hint=ada@example.com&return_to=${encodeURIComponent(path)}`)

/** A page without a session, after its sign-in dialog was closed. */
export const signedOut =
  (path: string): State =>
  async (page) => {
    await page.goto(path)
    await button(page, 'Close dialog').click()
    return heading(page, 'Login Required')
  }

/** Opens a path with these replies instead of the server's, by URL pattern; null is a failure. */
export async function withAnswers(page: Page, path: string, answers: Record<string, unknown>): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  for (const [url, json] of Object.entries(answers))
    await page.route(url, (route) => route.fulfill(json === null ? { status: 500, json: {} } : { json }))
  await page.goto(path)
}

/** A task that has been copied once: one for all tests. */
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
