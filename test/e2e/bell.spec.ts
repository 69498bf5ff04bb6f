import { z } from 'zod'
import { addTask, addType } from './add-task.ts'
import { expect, test } from './app-test.ts'
import { openList, send } from './as-ada.ts'

test('the bell counts failures of favourites, groups them by cause, leads to the reason, and forgets what was read', async ({
  page,
  db,
}, { testId }) => {
  await openList(page)
  const type = await addType(page, `Bell ${testId}`)
  const names = ['Bell one', 'Bell two', 'Bell three'].map((name) => `${name} ${testId}`)
  const tasks: Awaited<ReturnType<typeof addTask>>[] = []
  for (const name of names) tasks.push(await addTask(page, type, name, [['SKU']]))
  for (const { id } of tasks) await send(page, 'PUT', `/api/favourites/${id}`, { is_favourite: true })
  const raise = (at: number, reason: string) =>
    db
      .insertInto('alarms')
      .values({
        ...{
          kind: 'failed',
          subject: `bell ${testId} ${at}`,
          category: 'sync',
          task_type_id: type,
          over_at: null,
        },
        ...{ task_id: tasks[at]?.id ?? null, title: names[at] ?? '', reason },
      })
      .execute()
  await raise(0, 'You have no edit access to “Warehouse”.')
  await raise(1, 'You have no edit access to “Warehouse”.')
  await raise(2, 'The quota is used up.')

  const bell = page.getByRole('button', { name: /^Notifications/ })
  await expect(bell).toHaveAccessibleName('Notifications, 3 unread', { timeout: 40_000 })
  await bell.click()
  const dialog = page.getByRole('dialog', { name: 'Notifications' })
  const together = dialog.getByRole('listitem').filter({ hasText: '2 tasks failed' })
  await expect(together).toContainText('no edit access')
  await dialog.getByRole('button', { name: 'Mark 2 tasks failed as read' }).click()
  await expect(page.getByRole('button', { name: 'Mark 2 tasks failed as read' })).toHaveCount(0)
  await dialog.getByRole('link', { name: names[2] ?? '' }).click()
  await expect(page).toHaveURL(`/sync_tasks/${tasks[2]?.id}/logs`)
  await expect(page.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible()
  const { unread } = z
    .object({ unread: z.number() })
    .parse(await send(page, 'GET', '/api/notifications/count'))
  expect(unread).toBe(0)
})

test('what is new is marked after an upgrade until it was opened', async ({ page }) => {
  await openList(page)
  const bell = page.getByRole('button', { name: /^Notifications|^A new version/ })
  await expect(bell).toBeVisible()
  await page.evaluate(() => localStorage.setItem('rowferry.seen_version', '0.0.1'))
  await page.reload()
  await bell.click()
  await page.getByRole('link', { name: 'What is new' }).click()
  await expect(page.getByRole('heading', { name: 'What is new', level: 1 })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('button', { name: 'A new version' })).toHaveCount(0)
})
