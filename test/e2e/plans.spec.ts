import { addTask, addType } from './add-task.ts'
import { expect, test } from './app-test.ts'
import { send, signIn } from './as-ada.ts'
import { clearCells, readSheet, writeCells } from './google-sheets.ts'

const header = ['SKU', 'Name', 'Price']
const rows = Array.from({ length: 12 }, (_, n) => [`SKU-${n}`, `Product ${n}`, n + 0.5])

test('a preview shows what a run would change; written, the target holds exactly that', async ({ page }, {
  testId,
}) => {
  await signIn(page)
  const name = `Preview ${testId}`
  const task = await addTask(page, await addType(page, name), name, [header, ...rows])
  await page.goto(`/sync_tasks/${task.id}`)
  await page.getByRole('button', { name: 'Preview', exact: true }).click()
  await expect(page.getByText('The target is empty: 12 rows and 3 columns are written')).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`/sync_tasks/${task.id}/plans/\\d+$`))
  expect(await readSheet(task.target_ss_id, 'Data').catch(() => [])).toEqual([])

  await page.getByRole('button', { name: 'Write these rows' }).click()
  await expect(page).toHaveURL(new RegExp(`/sync_tasks/${task.id}$`))
  await expect(page.getByText('The target holds 12 rows', { exact: false }).first()).toBeVisible()
  expect(await readSheet(task.target_ss_id, 'Data')).toHaveLength(13)

  await clearCells(task.source_ss_id, 'Data')
  await writeCells(task.source_ss_id, 'Data', [
    header,
    ['SKU-0', 'Product 0', 9.75],
    ...rows.slice(1, 10),
    ['NEW', 'New product', 1],
  ])
  await page.getByRole('button', { name: 'Preview', exact: true }).click()
  const summary = page.getByRole('region', { name: 'Summary' })
  await expect(summary.getByRole('listitem').first()).toHaveText('2 of 12 rows removed')
  await expect(summary).toContainText('1 cell changed, in 1 row')
  await expect(summary).toContainText('1 row added')

  const changed = page.getByRole('row', { name: /Changed/ })
  await expect(changed.locator('del')).toHaveText('0.5')
  await expect(changed.locator('ins')).toHaveText('9.75')
  await page.getByText('Removed 2').click()
  await expect(page).toHaveURL(/kind=removed/)
  await expect(page.getByRole('row', { name: /Removed/ })).toHaveCount(2)
  await page.getByText('All 4').click()
  await page.getByRole('searchbox', { name: 'Search the cells' }).fill('new prod')
  await expect(page.getByRole('row', { name: /Added/ })).toBeVisible()
  await expect(page.getByRole('row', { name: /Removed/ })).toHaveCount(0)
})

test('if another editor changes the target, nothing is written, and the message names the cells', async ({
  page,
}, { testId }) => {
  await signIn(page)
  const name = `Outdated ${testId}`
  const task = await addTask(page, await addType(page, name, { max_retries: 0 }), name, [header, ...rows])
  await send(page, 'POST', `/api/sync_tasks/${task.id}/execute?wait=60`)
  await writeCells(task.source_ss_id, 'Data!A2', [['SKU-0', 'Renamed', 1]])
  await page.goto(`/sync_tasks/${task.id}`)
  await page.getByRole('button', { name: 'Preview', exact: true }).click()
  await expect(page.getByText('Nothing was written.', { exact: false })).toBeVisible()
  await writeCells(task.target_ss_id, 'Data!B5', [['Mine']])
  await page.getByRole('button', { name: 'Write these rows' }).click()
  await expect(
    page
      .getByText(/The plan is outdated: 1 cell \(B5\) of the target differs from what .* by another editor/)
      .first(),
  ).toBeVisible()
  expect((await readSheet(task.target_ss_id, 'Data'))[4]?.[1]).toBe('Mine')
})
