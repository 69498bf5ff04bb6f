import { aConfig } from '../fixtures/factories.ts'
import { addType } from './add-task.ts'
import { expect, test } from './app-test.ts'
import { signIn } from './as-ada.ts'
import { makeSpreadsheet } from './google-sheets.ts'

test('a task with an internal source is added with its compiler configuration, read back, checked and refused until there is compiled data', async ({
  page,
  db,
}, { testId }) => {
  await signIn(page)
  const typeName = `Internal ${testId}`
  const name = `Compiled ${testId}`
  await addType(page, typeName, { max_retries: 0 })
  const config = await aConfig(db, { name: `Merged ${testId}` })
  const target = await makeSpreadsheet(`Shop ${testId}`)

  await page.goto('/sync_tasks')
  await page.getByRole('button', { name: 'Add task' }).first().click()
  const adding = page.getByRole('dialog', { name: 'Add Sync Task' })
  await adding.getByRole('combobox', { name: 'Task type' }).fill(typeName)
  await page.getByRole('listbox').getByRole('option', { name: typeName }).click()
  await adding.getByRole('textbox', { name: 'Name' }).fill(name)
  await adding.getByText('Internal DB').click()
  await adding.getByRole('combobox', { name: 'Target spreadsheet' }).fill(target)
  await adding.getByRole('combobox', { name: 'Target sheet name' }).fill('Compiled')
  for (const time of ['23:00', '04:00']) await adding.getByRole('button', { name: `Remove ${time}` }).click()

  await test.step('without a configuration the message appears and nothing is sent', async () => {
    const sent: string[] = []
    page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()))
    await adding.getByRole('button', { name: 'Add task' }).click()
    await expect(
      adding.getByText('Please select a Compiler Configuration for internal source tasks.'),
    ).toBeVisible()
    expect(sent).toEqual([])
  })
  await adding.getByRole('combobox', { name: 'Compiler configuration' }).click()
  await page.getByRole('option', { name: `Merged ${testId}` }).click()
  const sent = page.waitForRequest(
    (request) => request.method() === 'POST' && request.url().endsWith('/api/sync_tasks'),
  )
  await adding.getByRole('button', { name: 'Add task' }).click()
  expect((await sent).postDataJSON()).toMatchObject({
    source_type: 'internal',
    source_compiler_config_id: config.id,
    source_ss_id: '',
    scheduled_times: ['None'],
    chunk_size: 1000,
    start_row: 1,
  })
  await expect(page.getByText('Sync Task Added Successfully')).toBeVisible()

  await page.goto(`/sync_tasks?source=internal&q=${testId}`)
  const row = page.getByRole('article', { name })
  await expect(row.getByText(`Internal DB / Merged ${testId}`)).toBeVisible()
  await expect(row.getByText(`Shop ${testId} / Compiled`)).toBeVisible()
  const editing = page.getByRole('dialog', { name: 'Edit Sync Task' })
  const edit = async () => {
    await row.getByRole('button', { name: /More actions/ }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await expect(editing.getByRole('radio', { name: 'Internal DB' })).toBeChecked()
  }
  await test.step('the edit form shows the configuration and saves with it', async () => {
    await edit()
    const choice = editing.getByRole('combobox', { name: 'Compiler configuration' })
    await expect(choice).toHaveValue(`Merged ${testId}`)
    await editing.getByRole('textbox', { name: 'Start row' }).fill('2')
    await editing.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Sync task updated successfully')).toBeVisible()
    await expect(editing).toHaveCount(0)
  })

  const state = row.getByRole('button', { name: /source of/ })
  await test.step('a check says Not Ready with “Internal DB” while nothing is compiled', async () => {
    await state.click()
    await expect(state).toHaveText(/^Not Ready Internal DB/)
    await expect(
      page.getByText(
        `Source not ready: The compiler configuration “Merged ${testId}” has no compiled records yet`,
      ),
    ).toBeVisible()
  })
  await test.step('a run fails at once with the reason', async () => {
    await row.getByRole('button', { name: `Run ${name}` }).click()
    await expect(row.getByText('Failed', { exact: true })).toBeVisible()
    await expect(row.getByText(`‘Merged ${testId}’ has no rows yet: run it first.`)).toBeVisible()
  })
  await test.step('an inactive configuration is marked as such, by the check and by the edit form', async () => {
    await db.updateTable('tasks').set({ is_active: false }).where('id', '=', config.task_id).execute()
    await state.click()
    await expect(
      page.getByText(`Source not ready: The compiler configuration “Merged ${testId}” is inactive`),
    ).toBeVisible()
    await page.reload()
    await edit()
    await expect(editing.getByRole('combobox', { name: 'Compiler configuration' })).toHaveValue(
      `Merged ${testId}, inactive`,
    )
  })
})
