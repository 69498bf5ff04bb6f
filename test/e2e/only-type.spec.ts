import { z } from 'zod'
import { addType } from './add-task.ts'
import { expect, test } from './app-test.ts'
import { signIn } from './as-ada.ts'

const Types = z.array(z.looseObject({ name: z.string() }))

test('the only task type is preselected in the add dialog, also if the types load later', async ({ page }, {
  testId,
}) => {
  await signIn(page)
  const name = `Only ${testId}`
  await addType(page, name)
  let answer = () => {}
  const asked = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/api/sync_task_types', async (route) => {
    const types = Types.parse(await (await route.fetch()).json())
    await asked
    await route.fulfill({ json: types.filter((type) => type.name === name) })
  })
  await page.goto('/sync_tasks')
  await page.getByRole('button', { name: 'Add task' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Add Sync Task' })
  const field = dialog.getByRole('combobox', { name: 'Task type' })
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Typed before')
  await expect(field).toHaveValue('')
  answer()
  await expect(field).toHaveValue(name)
  await dialog.getByRole('button', { name: 'Add task' }).click()
  await expect(dialog.getByText('Choose a task type')).toHaveCount(0)
  await expect(dialog.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('Typed before')
})
