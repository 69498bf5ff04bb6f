import { addTask, addType } from './add-task.ts'
import { expect, test } from './app-test.ts'
import { send, signIn } from './as-ada.ts'

test.beforeEach(async ({ page }) => signIn(page))

test('a type that has tasks is not deleted, and the server says why', async ({ page }) => {
  await addTask(page, await addType(page, 'In use'), 'User of the type', [['SKU']])
  await page.goto('/sync_task_types')
  await page.getByRole('button', { name: 'Delete In use' }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm Deletion' })
  await expect(dialog).toContainText('Are you sure you want to delete the task type "In use"?')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('This type has 1 tasks associated with it.').last()).toBeVisible()
  await expect(page.getByRole('row', { name: /In use/ })).toBeVisible()
})

test('a changed chunk size changes all tasks of the type, and says how many', async ({ page }) => {
  await addTask(page, await addType(page, 'Chunky'), 'Chunky task', [['SKU']])
  await page.goto('/sync_task_types')
  await page.getByRole('button', { name: 'Edit Chunky' }).click()
  await page.getByRole('textbox', { name: 'Chunk Size' }).fill('750')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('1 sync tasks were updated with new chunk size')).toBeVisible()
  await expect(page.getByRole('row', { name: /Chunky/ })).toContainText('750')
})

test('a type that somebody else changed is loaded again below what was typed', async ({ page }) => {
  const id = await addType(page, 'Contested')
  await page.goto('/sync_task_types')
  await page.getByRole('button', { name: 'Edit Contested' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Sync Task Type' })
  await dialog.getByRole('textbox', { name: 'Max Retries' }).fill('7')
  await send(page, 'PUT', `/api/sync_task_types/${id}`, { queue_delay_seconds: 11 })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByRole('button', { name: 'Load again' }).click()
  await expect(dialog.getByRole('textbox', { name: 'Type Name' })).toBeFocused()
  await expect(dialog.getByRole('textbox', { name: 'Queue Delay' })).toHaveValue('11')
  await expect(dialog.getByRole('textbox', { name: 'Max Retries' })).toHaveValue('7')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Task type updated successfully')).toBeVisible()
})

test('a circle of types is refused and marks the field', async ({ page }) => {
  const first = await addType(page, 'Circle A')
  await addType(page, 'Circle B', { depends_on_id: first })
  await page.goto('/sync_task_types')
  await expect(page.getByRole('row', { name: /Circle B/ })).toContainText('Circle A')
  await page.getByRole('button', { name: 'Edit Circle A' }).click()
  await page.getByRole('combobox', { name: 'Depends On' }).fill('Circle')
  await page.getByRole('option', { name: 'Circle B' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('dialog').getByRole('alert')).toHaveText(
    'Circular dependency detected. Please select a different dependency.',
  )
})
