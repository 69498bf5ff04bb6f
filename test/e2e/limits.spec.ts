import { addTask, addType } from './add-task.ts'
import { expect, test } from './app-test.ts'
import { send, signIn } from './as-ada.ts'
import { clearCells, readSheet, writeCells } from './google-sheets.ts'

const header = ['SKU', 'Name', 'Price']
const rows = Array.from({ length: 30 }, (_, n) => [`SKU-${n}`, `Product ${n}`, n + 0.5])

/** A task whose last run would have removed all but `left` of 30 rows. */
async function beyond(page: Parameters<typeof signIn>[0], name: string, left: number) {
  await signIn(page)
  const task = await addTask(page, await addType(page, name, { max_retries: 0 }), name, [header, ...rows])
  await send(page, 'POST', `/api/sync_tasks/${task.id}/execute?wait=60`)
  await clearCells(task.source_ss_id, 'Data')
  await writeCells(task.source_ss_id, 'Data', [header, ...rows.slice(0, left)])
  await page.goto(`/sync_tasks/${task.id}`)
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(page.getByRole('region', { name: 'Beyond its limits' })).toContainText(
    `Would remove ${30 - left} of 30 rows; the limit is 15.`,
  )
  return task
}

test('a run beyond a limit writes nothing until it is run once from the page of its task', async ({ page }, {
  testId,
}) => {
  const task = await beyond(page, `Once ${testId}`, 5)
  expect(await readSheet(task.target_ss_id, 'Data')).toHaveLength(31)
  await page.getByRole('link', { name: 'See what would change' }).click()
  const summary = page.getByRole('region', { name: 'Summary' })
  await expect(summary.getByRole('listitem').first()).toHaveText(
    'Would remove 25 of 30 rows; the limit is 15.',
  )
  await expect(page.getByRole('row', { name: /Removed/ }).first()).toBeVisible()
  await page.goBack()
  await page.getByRole('button', { name: 'Run it once' }).click()
  await expect(page.getByText('The target holds 5 rows', { exact: false }).first()).toBeVisible()
  expect(await readSheet(task.target_ss_id, 'Data')).toHaveLength(6)
  await expect(page.getByRole('region', { name: 'Beyond its limits' })).toHaveCount(0)
})

test('a changed limit lets the next run pass', async ({ page }, { testId }) => {
  const task = await beyond(page, `Changed ${testId}`, 6)
  await page.getByRole('button', { name: 'Change the limit' }).click()
  const dialog = page.getByRole('dialog')
  const removed = dialog.getByLabel('Rows removed (%)')
  await expect(removed).toHaveAttribute('placeholder', 'Default: 50')
  await removed.fill('90')
  await dialog.getByLabel('Columns that must exist').fill('SKU\nPrice')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toHaveCount(0)
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(page.getByText('The target holds 6 rows', { exact: false }).first()).toBeVisible()
  expect(await readSheet(task.target_ss_id, 'Data')).toHaveLength(7)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await dialog
    .locator('summary')
    .filter({ hasText: /^Limits/ })
    .click()
  await expect(removed).toHaveValue('90')
  await expect(dialog.getByLabel('Columns that must exist')).toHaveValue('SKU\nPrice')
})

test('home lists it once, and a rejected one no longer', async ({ page }, { testId }) => {
  const name = `Rejected ${testId}`
  const { id } = await beyond(page, name, 4)
  await page.goto('/')
  const panel = page.getByRole('region', { name: 'Needs approval' })
  await expect(panel.getByRole('button', { name: `Run it once: ${name}` })).toBeVisible()
  await expect(
    panel.getByText('Would remove 26 of 30 rows; the limit is 15.', { exact: false }),
  ).toBeVisible()
  const attention = page.getByRole('region', { name: 'Needs attention' })
  await expect(attention.getByRole('link', { name })).toHaveCount(0)
  await panel.getByRole('button', { name: `Reject: ${name}` }).click()
  await expect(panel.getByRole('button', { name: `Reject: ${name}` })).toHaveCount(0)
  await panel.getByText('Last decisions').click()
  await expect(panel.getByText(/Rejected by ada@example.com/).first()).toBeVisible()
  await expect(attention.getByRole('link', { name })).toBeVisible()
  // Home of other tests has no failure of this one.
  await send(page, 'DELETE', `/api/sync_tasks/${id}`)
})

test('on the page of its task it is rejected, and can only be looked at from then on', async ({ page }, {
  testId,
}) => {
  await beyond(page, `Rejected there ${testId}`, 3)
  const notice = page.getByRole('region', { name: 'Beyond its limits' })
  await notice.getByRole('button', { name: 'Reject' }).focus()
  await page.keyboard.press('Enter')
  await expect(notice).toContainText('Rejected by ada@example.com. The target stays as it is.')
  await expect(notice.getByRole('button')).toHaveText(['Change the limit'])
  await notice.getByRole('link', { name: 'See what would change' }).click()
  await expect(page.getByRole('row', { name: /Removed/ }).first()).toBeVisible()
  const former = page.url()
  await page.getByRole('button', { name: 'New preview' }).click()
  await expect(page).not.toHaveURL(former)
  await expect(page.getByRole('row', { name: /Removed/ }).first()).toBeVisible()
})

test('the limits of tasks that set none are under Settings', async ({ page }) => {
  await signIn(page)
  await page.goto('/settings#limits')
  const form = page.getByRole('form', { name: 'Limits' })
  const cells = form.getByLabel('Cells changed')
  await expect(cells).toHaveAttribute('placeholder', 'No limit')
  await cells.fill('5000000')
  await form.getByRole('button', { name: 'Save limits' }).click()
  await expect(page.getByText('Limits saved')).toBeVisible()
  await page.reload()
  await expect(cells).toHaveValue('5,000,000')
  await cells.fill('')
  await form.getByRole('button', { name: 'Save limits' }).click()
  await expect(page.getByText('Limits saved')).toBeVisible()
})

test('a run that would leave a note beside another row is run once, or the task is switched to update', async ({
  page,
}, { testId }) => {
  await signIn(page)
  const name = `Notes ${testId}`
  const type = await addType(page, name, { max_retries: 0 })
  const task = await addTask(page, type, name, [header, ...rows])
  await send(page, 'POST', `/api/sync_tasks/${task.id}/execute?wait=60`)
  await writeCells(task.target_ss_id, 'Data!E4', [['ordered']])
  await writeCells(task.source_ss_id, 'Data', [header, ['NEW', 'First', 1], ...rows.slice(0, -1)])
  await page.goto(`/sync_tasks/${task.id}`)
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  const notice = page.getByRole('region', { name: 'Cells would lose their rows' })
  await expect(notice).toContainText(
    'Would leave 1 filled cell beside another row: ‘ordered’ in E4 stands beside SKU-2; it would stand beside SKU-1.',
  )
  await expect(notice.getByRole('button', { name: 'Change the limit' })).toHaveCount(0)
  await notice.getByRole('link', { name: 'Switch to update' }).click()
  await expect(page).toHaveURL(/write_mode=update/)
  const dialog = page.getByRole('dialog', { name: 'Edit Sync Task' })
  await expect(dialog.getByRole('radio', { name: /^Update/ })).toBeChecked()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page).not.toHaveURL(/write_mode/)
  await notice.getByRole('button', { name: 'Run it once' }).click()
  await expect(notice).toHaveCount(0)
  await expect
    .poll(async () => (await readSheet(task.target_ss_id, 'Data'))[3])
    .toEqual(['SKU-1', 'Product 1', 1.5, '', 'ordered'])
})
