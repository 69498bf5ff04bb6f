import { addTask, addType } from './add-task.ts'
import { expect, test } from './app-test.ts'
import { send, signIn } from './as-ada.ts'
import { writeCells } from './google-sheets.ts'

const rows = [
  ['SKU', 'Name', 'Price'],
  ['007', 'Bolt', 1.5],
  ['008', 'Nut', 0.5],
]

test('a cell is found from copied data and from its pasted link, and an edit of a colleague is noticed', async ({
  page,
}, { testId }) => {
  await signIn(page)
  const name = `Lineage ${testId}`
  const task = await addTask(page, await addType(page, name), name, rows)
  await send(page, 'POST', `/api/sync_tasks/${task.id}/execute?wait=60`)

  await page.goto(`/sync_tasks/${task.id}/data_copy`)
  await page.getByRole('rowheader', { name: '2' }).getByRole('link').click()
  await expect(page.getByRole('heading', { name: /^A3 of ‘Data’/ })).toBeVisible()
  await page.getByRole('combobox', { name: 'Column of this row' }).click()
  await page.getByRole('option', { name: 'Price' }).click()
  await expect(page.getByRole('heading', { name: /^C3 of ‘Data’/ })).toBeVisible()
  const target = page.getByRole('region', { name: 'In the target' })
  await expect(target).toContainText('0.5')
  await expect(target).toContainText('The cell was blank before.')
  const way = page.getByRole('region', { name: 'Where it comes from' })
  await expect(way.getByRole('link', { name: /^C3 of/ })).toBeVisible()

  await target.getByRole('button', { name: 'Check whether it was edited' }).click()
  await expect(target.getByRole('status')).toHaveText('The cell is as it was written.')
  await writeCells(task.target_ss_id, 'Data!C3', [[9]])
  await target.getByRole('button', { name: 'Check whether it was edited' }).click()
  await expect(target.getByRole('status')).toHaveText('The cell was edited since: it holds “9” now.')

  const link =
    (await page.getByRole('link', { name: 'Open in the spreadsheet' }).first().getAttribute('href')) ?? ''
  await page.goto('/sync_tasks')
  await page.getByRole('button', { name: 'Find a cell' }).click()
  await page.getByRole('textbox', { name: 'Link to a cell' }).fill(link.replace(/C3$/, 'b2'))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: /^B2 of ‘Data’/ })).toBeVisible()
  await page.getByRole('textbox', { name: 'Link to a cell' }).fill('no link')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toContainText('is not a link to a cell')
})
