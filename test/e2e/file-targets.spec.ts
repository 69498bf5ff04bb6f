import { z } from 'zod'
import { addType } from './add-task.ts'
import { expect, test } from './app-test.ts'
import { send, signIn } from './as-ada.ts'
import { findsNothing } from './axe.ts'
import { makeSpreadsheet, readSheet } from './google-sheets.ts'

const rows = [
  ['SKU', 'Price', 'In stock', 'Note'],
  ['007', 1.25, true, '=1+1'],
  ['1/2', -0.1, false, ' padded '],
  ['TRUE', 43831.5, true, 'line\nbreak'],
]

// The check for accessibility waits for the end of every animation.
test.use({ reducedMotion: 'reduce' })

test('a Google spreadsheet is copied into a workbook that does not exist yet, and back with the same values', async ({
  page,
}, { testId }) => {
  await signIn(page)
  const name = `Into a file ${testId}`
  const file = `Files/export-${testId}.xlsx`
  const type = await addType(page, name)
  const source = await makeSpreadsheet(`Source ${testId}`, rows)
  await page.goto('/sync_tasks')
  await page.getByRole('button', { name: 'Add task' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Add Sync Task' })
  const chosenType = dialog.getByRole('combobox', { name: 'Task type' })
  // If it is the only type, it is selected already, and filling changes nothing.
  await chosenType.click()
  await chosenType.fill(name)
  await page.getByRole('option', { name }).click()
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
  await dialog.getByRole('combobox', { name: 'Source spreadsheet' }).fill(source)
  const target = dialog.getByRole('combobox', { name: 'Target spreadsheet' })

  await target.fill('Files/list.csv')
  await expect(dialog.getByRole('combobox', { name: 'Delimiter of the CSV file' })).toBeVisible()
  await findsNothing(page, 'a CSV file as a target')
  await target.fill(file)
  await expect(dialog.getByText('This file does not exist yet. The first run creates it.')).toBeVisible()
  await expect(dialog.getByRole('combobox', { name: 'Delimiter of the CSV file' })).toBeHidden()
  await dialog.getByRole('combobox', { name: 'Target sheet name' }).fill('Shop')
  await dialog.getByRole('button', { name: 'Add task' }).click()
  await expect(dialog).toBeHidden()

  const find = `/api/sync_tasks?search=${encodeURIComponent(name)}`
  const [{ id }] = (await (await page.request.get(find)).json()).syncTasks
  await send(page, 'POST', `/api/sync_tasks/${id}/execute?wait=60`)
  await page.goto(`/sync_tasks/${id}`)
  await expect(page.getByText(`export-${testId}.xlsx / Shop (${file})`)).toBeVisible()
  await page.getByRole('button', { name: /^Check Google Sheet/ }).click()
  await expect(
    page
      .getByRole('region', { name: 'State' })
      .getByText(/The target ‘export-.+\.xlsx’ can be written \(changed/),
  ).toBeVisible()

  const back = await makeSpreadsheet(`Back ${testId}`)
  const body = {
    ...{ sync_task_type_id: type, name: `Back ${testId}`, source_ss_id: file, source_sheet_name: 'Shop' },
    ...{ target_ss_id: back, target_sheet_name: 'Data', chunk_size: 1000 },
  }
  const returned = z.object({ id: z.int() }).parse(await send(page, 'POST', '/api/sync_tasks', body))
  await send(page, 'POST', `/api/sync_tasks/${returned.id}/execute?wait=60`)
  expect(await readSheet(back, 'Data')).toEqual(rows)

  for (const added of [returned.id, id]) await send(page, 'DELETE', `/api/sync_tasks/${added}`)
})
