import { z } from 'zod'
import { addTask, addType } from './add-task.ts'
import { expect, test } from './app-test.ts'
import { send, signIn } from './as-ada.ts'

test('the page of a task shows who changed what, and reverts it; a newer change is named first', async ({
  page,
}, { testId }) => {
  await signIn(page)
  const type = await addType(page, `Changed ${testId}`)
  const { id } = await addTask(page, type, `Changed ${testId}`, [['SKU']])
  const path = `/api/sync_tasks/${id}`
  await send(page, 'PUT', path, { scheduled_times: ['04:00'] })
  await page.goto(`/sync_tasks/${id}`)
  const history = page.getByRole('region', { name: 'History of settings' })
  const row = history.getByRole('row', { name: 'Scheduled times' })
  await expect(row).toContainText('04:00')
  await expect(history.getByText('ada@example.com')).toBeVisible()

  await test.step('another change comes while the page is open', async () => {
    await send(page, 'PUT', path, { scheduled_times: ['05:00'] })
    await expect(row).toHaveCount(2)
    await history.getByRole('button', { name: 'Revert the change' }).last().click()
    const dialog = page.getByRole('dialog', { name: 'Revert this change' })
    await dialog.getByRole('button', { name: 'Revert', exact: true }).click()
    await expect(dialog.getByRole('alert')).toContainText(
      'Scheduled times was changed again by ada@example.com',
    )
    await dialog.getByRole('button', { name: 'Revert anyway' }).click()
    await expect(page.getByText('The settings are as they were before this change')).toBeVisible()
  })

  await expect(row).toHaveCount(3)
  await expect(history.getByText('reverts the change of')).toBeVisible()
  const task = z.object({ scheduled_times: z.array(z.string()) }).parse(await send(page, 'GET', path))
  expect(task.scheduled_times).toEqual([])
})

test('the dialog of a type shows who changed its settings and reverts a change; other input stays', async ({
  page,
}, { testId }) => {
  await signIn(page)
  const name = `Type ${testId}`
  const id = await addType(page, name)
  await send(page, 'PUT', `/api/sync_task_types/${id}`, { max_retries: 7 })
  await page.goto('/sync_task_types')
  await page.getByRole('button', { name: `Edit ${name}` }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Sync Task Type' })
  await dialog.getByText('History of settings').click()
  await expect(dialog.getByRole('row', { name: 'Retries' })).toContainText('7')
  await expect(dialog.getByText('ada@example.com')).toBeVisible()
  await dialog.getByLabel('Type Name').fill(`${name} renamed`)
  await dialog.getByRole('button', { name: 'Revert the change' }).click()
  const question = page.getByRole('dialog', { name: 'Revert this change' })
  await question.getByRole('button', { name: 'Revert', exact: true }).click()
  await expect(question).toBeHidden()
  await expect(dialog.getByText('reverts the change of')).toBeVisible()
  await expect(dialog.getByLabel('Max Retries')).toHaveValue('3')
  await expect(dialog.getByLabel('Type Name')).toHaveValue(`${name} renamed`)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  const saved = await send(page, 'GET', `/api/sync_task_types/${id}`)
  expect(saved).toMatchObject({ name: `${name} renamed`, max_retries: 3 })
})
