import type { Kysely } from 'kysely'
import { errors } from '../../src/contract/errors.ts'
import type { Database } from '../../src/server/platform/schema.ts'
import { aCopy, aSourceTask } from '../fixtures/factories.ts'
import { expect, test } from './app-test.ts'
import { pickUp } from './by-keyboard.ts'
import { enter } from './screen-states.ts'

/** Sets the date format of a column of stored rows. */
const showsDates = (db: Kysely<Database>, snapshot_id: number, column: number, pattern: string) =>
  db
    .updateTable('snapshots')
    .set({
      formats: JSON.stringify([...Array.from({ length: column }, () => null), { type: 'DATE', pattern }]),
    })
    .where('id', '=', snapshot_id)
    .execute()

test('on the page, a configuration is added, its sources ordered, compiled, and its records viewed, deleted and cleared', async ({
  page,
  db,
}) => {
  test.slow()
  const master = await aSourceTask(db, { name: 'Shop master' })
  const long = 'x'.repeat(120)
  const rows = await aCopy(
    db,
    master.id,
    ['SKU', 'Name', 'Price', 'Stock', 'Since'],
    [
      ['A-1', long, 1.5, 3, 45_904],
      ['A-2', 'Pot', null, null, null],
      ['A-3', 'Lid', '#N/A', null, null],
    ],
  )
  await showsDates(db, rows.id, 4, 'yyyy-mm-dd')
  const supplier = await aSourceTask(db, { name: 'Shop supplier' })
  const prices = await aCopy(
    db,
    supplier.id,
    ['SKU', 'Price', 'stock level', 'Since'],
    [
      ['A-1', 2, 4, 45_900],
      ['a4', 4, 5, 45_901],
      ['a2', 5, 6, null],
    ],
  )
  await showsDates(db, prices.id, 3, 'm/d/yyyy')
  await enter(page, '/compiler')
  const dialog = page.getByRole('dialog')

  await page.getByRole('button', { name: 'New Configuration' }).first().click()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Shop')
  // without a master, the field to choose it is marked invalid
  await dialog.getByRole('button', { name: 'Add Configuration' }).click()
  const sources = dialog.getByRole('combobox', { name: 'Add a source' })
  await expect(sources).toHaveAttribute('aria-invalid', 'true')
  await expect(dialog.getByText('Choose a master source')).toBeVisible()
  for (const name of ['Shop supplier', 'Shop master']) {
    await dialog.getByRole('combobox', { name: 'Add a source' }).fill(name)
    await page.getByRole('option', { name }).click()
  }
  const order = dialog.getByRole('list', { name: 'Sources in order' }).getByRole('listitem')
  // Escape while a source is dragged restores its position and does not close the dialog
  const handle = dialog.getByRole('button', { name: 'Move Shop master', exact: true })
  await pickUp(page, handle, 'Shop master is picked up, number 2 of 2.')
  await page.keyboard.press('Escape')
  await expect(page.getByText('Shop master is back where it was.')).toBeAttached()
  await expect(order).toContainText(['Shop supplier', 'Shop master'])
  await pickUp(page, handle, 'Shop master is picked up, number 2 of 2.')
  await page.keyboard.press('ArrowUp')
  await expect(page.getByText('Shop master is number 1 of 2 now.')).toBeAttached()
  await page.keyboard.press('Space')
  await expect(order).toContainText(['Shop master', 'Shop supplier'])
  await dialog.getByRole('radio', { name: 'Shop master is the master' }).check()
  // fields are chosen with the mouse, or by typing and arrow keys
  await dialog.getByText('Required fields').click()
  const required = dialog.getByRole('combobox', { name: 'Required fields' })
  await required.click()
  await page.getByRole('option', { name: 'Name', exact: true }).click()
  await required.pressSequentially('ce')
  await expect(page.getByRole('option', { name: 'Price', exact: true })).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('Required fields2')).toBeVisible()
  for (const left of ['1', 'none']) {
    await page.keyboard.press('Backspace')
    await expect(dialog.getByText(`Required fields${left}`)).toBeVisible()
  }
  await page.keyboard.press('Tab')
  await expect(page.getByRole('option', { name: 'Price', exact: true })).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Show preview' }).click()
  const preview = dialog.getByRole('table', { name: 'First records' })
  await expect(preview.getByRole('rowheader')).toHaveText(['A-1', 'A-2', 'A-3', 'a4', 'a2'])
  await expect(preview.getByRole('row', { name: 'a4' })).toContainText('Shop supplier')
  await expect(preview.getByRole('row', { name: 'a4' })).toContainText('9/1/2025')
  await dialog.getByRole('radio', { name: 'Shop supplier is the master' }).check()
  await expect(dialog.getByText('The settings have changed. Preview again')).toBeVisible()
  await dialog.getByRole('radio', { name: 'Shop master is the master' }).check()
  await dialog.getByRole('button', { name: 'Add Configuration' }).click()

  await page.getByRole('button', { name: 'Compile Shop', exact: true }).click()
  await expect(page.getByText('Compiled 6 rows into 5 unique SKUs.')).toBeVisible()
  await page.getByRole('link', { name: /With Errors/ }).click()
  await expect(page).toHaveURL(/has_errors=true/)
  const records = page.getByRole('table', { name: 'Compiled records' })
  await expect(records.getByRole('rowheader')).toHaveText(['A-3'])
  await page.getByRole('combobox', { name: 'Errors' }).selectOption('')
  await page.getByRole('searchbox', { name: 'Search SKU' }).fill('-1')
  await page.getByRole('button', { name: 'Apply Filters' }).click()
  await expect(records.getByRole('rowheader')).toHaveText(['A-1'])
  // the focus stays on the button, and going back restores the previous filters
  await expect(page.getByRole('button', { name: 'Apply Filters' })).toBeFocused()
  await page.goBack()
  await expect(page.getByRole('searchbox', { name: 'Search SKU' })).toHaveValue('')
  await page.goForward()
  await expect(page.getByRole('searchbox', { name: 'Search SKU' })).toHaveValue('-1')
  await expect(records.getByRole('rowheader')).toHaveText(['A-1'])

  await expect(records.getByRole('row', { name: 'A-1' })).toContainText('2025-09-04')
  await records.getByRole('button', { name: 'A-1', exact: true }).click()
  await expect(dialog.getByText('Completeness 100%')).toBeVisible()
  await expect(dialog.getByText(`${'x'.repeat(97)}...`)).toBeVisible()
  // dates are shown in the format of each source
  const since = dialog
    .getByRole('list', { name: 'Fields' })
    .getByRole('listitem')
    .filter({ hasText: 'Since' })
  await expect(since).toContainText('2025-09-04')
  await expect(since).toContainText('Shop supplier:8/31/2025')
  await page.keyboard.press('Control+K')
  await expect(dialog.getByRole('searchbox', { name: 'Search fields' })).toBeFocused()
  await page.keyboard.type('price')
  await expect(
    dialog.getByRole('list', { name: 'Fields' }).getByRole('button', { name: /^Copy/ }),
  ).toHaveCount(1)
  await page.context().grantPermissions(['clipboard-write'])
  await dialog.getByRole('button', { name: 'Copy Price' }).click()
  await expect(dialog.getByText('Copied Price')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)

  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  expect((await saved).suggestedFilename()).toMatch(/\.csv$/)
  await page.getByRole('button', { name: 'Delete A-1' }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Record A-1 deleted')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'No record matches' })).toBeVisible()
  // deleting the record that is open closes its dialog and does not request the record again
  const missing: string[] = []
  page.on('response', (response) => {
    if (response.status() === 404) missing.push(response.url())
  })
  await page.getByRole('searchbox', { name: 'Search SKU' }).fill('')
  await page.getByRole('button', { name: 'Apply Filters' }).click()
  await records.getByRole('button', { name: 'A-3', exact: true }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog', { name: 'Confirm Deletion' }).getByRole('button', { name: 'Delete' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(records.getByRole('rowheader')).toHaveText(['A-2', 'a4', 'a2'])
  expect(missing).toEqual([])

  await page.getByRole('tab', { name: 'Configurations' }).click()
  await page.getByRole('link', { name: 'Shop', exact: true }).click()
  await page.getByRole('button', { name: 'a2 is A-2' }).click()
  await expect(page.getByRole('button', { name: 'Undo: a2' })).toBeVisible()
  // a mapping can be removed after its SKU is no longer listed
  const taken = page.getByRole('table', { name: 'Mapped SKUs' })
  await expect(taken.getByRole('row', { name: 'a2' })).toContainText('Shop supplier')
  await page.getByRole('button', { name: 'Remove mapping: a2' }).click()
  await expect(page.getByText('a2 is no longer mapped')).toBeVisible()
  await expect(taken).toHaveCount(0)
  await page.getByRole('button', { name: 'a2 is A-2' }).click()
  await expect(page.getByRole('button', { name: 'Remove mapping: a2' })).toBeVisible()
  await page.getByRole('button', { name: 'stock level is Stock' }).click()
  await expect(page.getByText('stock level is read as Stock from the next compile on')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Undo: stock level' })).toBeVisible()
  // are added again; existing records, including a2, do not change
  await page.getByRole('button', { name: 'Other ways to compile Shop' }).click()
  await page.getByRole('menuitem', { name: 'Add new SKUs only' }).click()
  await expect(page.getByText('Compiled 6 rows into 5 unique SKUs.')).toBeVisible()

  // a stopped compile is not shown as an error
  const { status, message } = errors.compile_stopped
  const stopped = { code: 'compile_stopped', error: message, message, request_id: 'none' }
  await page.route('**/api/compiler/compile', (route) => route.fulfill({ status, json: stopped }))
  await page.getByRole('button', { name: 'Compile Shop', exact: true }).click()
  await expect(page.getByText(message)).toBeVisible()
  await expect(page.getByText('Error during compilation.')).toHaveCount(0)
  await page.unroute('**/api/compiler/compile')

  await page.getByRole('link', { name: 'View Data' }).click()
  await page.getByRole('button', { name: 'Clear All Data' }).click()
  const clear = dialog.getByRole('button', { name: 'Clear All Data' })
  await dialog.getByRole('textbox', { name: 'Type DELETE to confirm' }).fill('delete')
  await expect(clear).toBeDisabled()
  await dialog.getByRole('textbox', { name: 'Type DELETE to confirm' }).fill('DELETE')
  const other = await page.context().newPage()
  await other.goto('/compiler')
  const total = other.getByRole('link', { name: /Total Records/ })
  await expect(total).toHaveText(/^5 /)
  await clear.click()
  await expect(page.getByText('5 compiled records deleted')).toBeVisible()
  // another tab shows the new counts
  await expect(total).toHaveText(/^0 /)
  await other.close()
  // the selection is stored in the browser
  await page.goto('/compiler')
  await expect(page.getByRole('combobox', { name: 'Active Config' })).toHaveValue(/\d/)
  await expect(page.getByRole('link', { name: 'All runs' })).toHaveAttribute(
    'href',
    '/runs?category=compiler',
  )
  expect(await page.evaluate(() => localStorage.getItem('compiler_config_id'))).toMatch(/\d/)
})
