import { addTask, addType } from './add-task.ts'
import { expect, test } from './app-test.ts'
import { send, showTask, signIn } from './as-ada.ts'
import { clearCells, readSheet, writeCells } from './google-sheets.ts'

const header = ['SKU', 'Name', 'Price']
const rows = Array.from({ length: 12 }, (_, n) => [`SKU-${n}`, `Product ${n}`, n + 0.5])

test('the last change is undone by a plan; edited cells are kept, or restored too', async ({ page }, {
  testId,
}) => {
  await signIn(page)
  const name = `Undo ${testId}`
  const task = await addTask(page, await addType(page, name), name, [header, ...rows])
  const run = () => send(page, 'POST', `/api/sync_tasks/${task.id}/execute?wait=60`)
  await run()
  await writeCells(task.source_ss_id, 'Data!B2', [['Wrong'], ['Wrong'], ['Wrong']])
  await run()
  await writeCells(task.target_ss_id, 'Data!C6', [['Mine']])

  await page.goto(`/sync_tasks/${task.id}`)
  const versions = page.getByRole('region', { name: 'Versions' })
  await expect(versions.getByRole('listitem')).toHaveCount(2)
  await expect(versions.getByRole('listitem').first()).toContainText('3 cells changed, in 3 rows')
  await versions.getByRole('button', { name: 'Undo the last change' }).click()
  await expect(page.getByRole('heading', { level: 1, name: /^Undo run \d+/ })).toBeVisible()
  await expect(page.getByRole('region', { name: '1 cell was edited since; it is kept.' })).toContainText('C6')
  await expect(page.getByRole('row', { name: /Changed/ })).toHaveCount(3)

  await page.getByRole('button', { name: 'Write these rows' }).click()
  await expect(page).toHaveURL(new RegExp(`/sync_tasks/${task.id}$`))
  const notice = page.getByRole('region', { name: 'Older version' })
  await expect(notice).toContainText('The next run writes new rows.')
  const undone = await readSheet(task.target_ss_id, 'Data')
  expect([undone[1]?.[1], undone[5]?.[2]]).toEqual(['Product 0', 'Mine'])
  await expect(versions.getByRole('listitem')).toHaveCount(3)

  await notice.getByRole('switch', { name: 'Pause its schedule' }).focus()
  await page.keyboard.press('Space')
  await expect(notice).toContainText('No schedule runs this task. It still runs by hand.')
  const row = await showTask(page, name)
  await expect(row.getByText('Older version', { exact: false })).toBeVisible()
  const paused = row.getByRole('switch', { name: 'Pause its schedule' })
  await expect(paused).toBeChecked()
  await paused.click()
  await expect(paused).not.toBeChecked()
  await expect(row.getByRole('switch', { name: `${name} is active` })).toBeChecked()

  await writeCells(task.target_ss_id, 'Data!C3', [['Later']])
  await page.goto(`/sync_tasks/${task.id}`)
  await versions
    .getByRole('button', { name: /^Restore the version of run/ })
    .last()
    .click()
  await page.getByRole('button', { name: 'Restore it too' }).click()
  await expect(page.getByRole('row', { name: /Changed/ }).locator('ins')).toHaveText(['1.5', '4.5'])
})

test('a version in whose way edited cells stand is restored without them, on request', async ({ page }, {
  testId,
}) => {
  await signIn(page)
  const name = `In the way ${testId}`
  const narrow = [header, ...rows].map(([sku, , price]) => [sku ?? '', price ?? ''])
  const task = await addTask(page, await addType(page, name), name, [header, ...rows])
  const run = () => send(page, 'POST', `/api/sync_tasks/${task.id}/execute?wait=60`)
  await clearCells(task.source_ss_id, 'Data')
  await writeCells(task.source_ss_id, 'Data', narrow)
  await run()
  await clearCells(task.source_ss_id, 'Data')
  await writeCells(task.source_ss_id, 'Data', [header, ...rows])
  await run()
  await writeCells(task.target_ss_id, 'Data!B3', [['Mine']])
  await page.goto(`/sync_tasks/${task.id}`)
  await page.getByRole('button', { name: 'Undo the last change' }).click()
  const failed = page.getByRole('alert').filter({ hasText: 'The preview did not end well' })
  await expect(failed).toContainText('1 cell edited since would be lost')
  await expect(page.getByRole('heading', { level: 1, name: /^Undo run \d+/ })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Back to the task' })).toHaveAttribute(
    'href',
    `/sync_tasks/${task.id}`,
  )
  await failed.getByRole('button', { name: 'Plan that also restores edited cells' }).click()
  await page.getByRole('button', { name: 'Write these rows' }).click()
  await expect(page.getByRole('region', { name: 'Older version' })).toBeVisible()
  expect(await readSheet(task.target_ss_id, 'Data')).toEqual(narrow)
})
