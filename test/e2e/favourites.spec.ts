import type { Page } from '@playwright/test'
import { z } from 'zod'
import { addTask, addType } from './add-task.ts'
import { expect, test } from './app-test.ts'
import { openList, send } from './as-ada.ts'

const row = (page: Page, name: string) => page.getByRole('article', { name, exact: true })
const star = (page: Page, name: string) => page.getByRole('button', { name: `${name} is a favourite` })
const favourites = async (page: Page) =>
  z.object({ task_ids: z.array(z.number()) }).parse(await send(page, 'GET', '/api/favourites')).task_ids
const views = (page: Page) => page.getByRole('button', { name: /^Views$|^View:/ })

test.beforeEach(async ({ page }) => {
  await openList(page)
  await send(page, 'DELETE', '/api/sync_tasks/delete_all?force=true')
})

test('a star or f makes a task a favourite, on its row and on its page; the list is filtered by them', async ({
  page,
}, { testId }) => {
  const type = await addType(page, `Starred ${testId}`)
  const one = await addTask(page, type, 'Starred one', [['SKU']])
  const two = await addTask(page, type, 'Starred two', [['SKU']])
  await page.goto('/sync_tasks')
  await star(page, 'Starred one').click()
  await expect(star(page, 'Starred one')).toHaveAttribute('aria-pressed', 'true')
  await expect.poll(() => favourites(page)).toEqual([one.id])

  await test.step('the filter shows favourites alone, also after a reload', async () => {
    await page.getByRole('button', { name: 'Favourites', exact: true }).click()
    await expect(page).toHaveURL(/favourites=1/)
    await page.reload()
    await expect(row(page, 'Starred one')).toBeVisible()
    await expect(row(page, 'Starred two')).toHaveCount(0)
    await star(page, 'Starred one').click()
    await expect(page.getByText('No task matches these filters')).toBeVisible()
    await page.getByRole('button', { name: 'Clear all filters' }).last().click()
  })

  await test.step('the key f on a focused row', async () => {
    await expect(row(page, 'Starred two')).toBeVisible()
    await page.keyboard.press('j')
    await expect(row(page, 'Starred one').getByRole('heading').getByRole('link')).toBeFocused()
    await page.keyboard.press('f')
    await expect(star(page, 'Starred one')).toHaveAttribute('aria-pressed', 'true')
    await page.keyboard.press('f')
    await expect(star(page, 'Starred one')).toHaveAttribute('aria-pressed', 'false')
    await expect.poll(() => favourites(page)).toEqual([])
  })

  await test.step('the key f on the page of a task', async () => {
    await page.goto(`/sync_tasks/${two.id}`)
    await expect(star(page, 'Starred two')).toBeVisible()
    await page.keyboard.press('f')
    await expect(star(page, 'Starred two')).toHaveAttribute('aria-pressed', 'true')
    await expect.poll(() => favourites(page)).toEqual([two.id])
  })
})

test('a favourite that the server refuses is withdrawn and said', async ({ page }, { testId }) => {
  const type = await addType(page, `Refused ${testId}`)
  await addTask(page, type, 'Refused star', [['SKU']])
  await page.goto('/sync_tasks')
  await page.route('**/api/favourites/*', (route) => route.abort())
  await star(page, 'Refused star').click()
  await expect(page.getByText('Failed to change the favourite')).toBeVisible()
  await expect(star(page, 'Refused star')).toHaveAttribute('aria-pressed', 'false')
})

test('filters are saved under a name, chosen, replaced, renamed, shared and deleted', async ({ page }, {
  testId,
}) => {
  const type = await addType(page, `Viewed ${testId}`)
  await addTask(page, type, 'Viewed one', [['SKU']])
  await addTask(page, type, 'Viewed two', [['SKU']])
  await page.goto('/sync_tasks')
  await views(page).click()
  await expect(page.getByRole('menuitem', { name: 'Save these filters' })).toBeDisabled()
  await page.keyboard.press('Escape')

  await page.getByRole('searchbox').or(page.getByLabel('Search tasks')).fill('viewed one')
  await expect(row(page, 'Viewed two')).toHaveCount(0)
  await expect(page).toHaveURL(/q=viewed\+one/)
  await views(page).click()
  await page.getByRole('menuitem', { name: 'Save these filters' }).click()
  await page.getByLabel('Name').fill('Only the first')
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('button', { name: 'View: Only the first' })).toBeVisible()

  await test.step('the view is chosen again from the unfiltered list', async () => {
    await page.goto('/sync_tasks')
    await expect(row(page, 'Viewed two')).toBeVisible()
    await views(page).click()
    await page.getByRole('menuitem', { name: 'Only the first' }).click()
    await expect(page).toHaveURL('/sync_tasks?q=viewed+one')
    await expect(row(page, 'Viewed two')).toHaveCount(0)
    await expect(row(page, 'Viewed one')).toBeVisible()
  })

  await test.step('a save under the same name replaces its filters', async () => {
    await page.goto('/sync_tasks?q=two&active=1')
    await views(page).click()
    await page.getByRole('menuitem', { name: 'Save these filters' }).click()
    await page.getByLabel('Name').fill('only the FIRST')
    await expect(page.getByText('Saving replaces its filters')).toBeVisible()
    await page.getByRole('button', { name: 'Replace', exact: true }).click()
    await expect(page.getByRole('button', { name: 'View: Only the first' })).toBeVisible()
  })

  await test.step('it is renamed, shared and deleted', async () => {
    await views(page).click()
    await page.getByRole('menuitem', { name: 'Manage views' }).click()
    const dialog = page.getByRole('dialog', { name: 'Manage views' })
    await dialog.getByLabel('New name of Only the first').fill('The second')
    await dialog.getByRole('button', { name: 'Rename' }).click()
    await dialog.getByRole('switch', { name: 'The second is shared with all users' }).click()
    await expect(dialog.getByRole('switch', { name: 'The second is shared' })).toBeChecked()
    await dialog.getByRole('button', { name: 'Delete The second' }).click()
    await expect(page.getByText('for all users? Tasks and runs are not changed.')).toBeVisible()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await expect(dialog.getByText('No saved views yet')).toBeVisible()
  })
})

test('a view of the runs keeps the chosen tab and closes no report', async ({ page }) => {
  await send(page, 'POST', '/api/saved_views', {
    list: 'runs',
    name: 'Failed today',
    query: 'state=failed&time=24h',
  })
  await page.goto('/runs?view=list&q=none')
  await views(page).click()
  await page.getByRole('menuitem', { name: 'Failed today' }).click()
  await expect(page).toHaveURL(/view=list/)
  await expect(page).toHaveURL(/time=24h/)
  await expect(page).not.toHaveURL(/q=none/)
})
