import type { Locator } from '@playwright/test'
import { aMerge, aSource, removeTasks } from '../fixtures/compiling.ts'
import { aSyncTask } from '../fixtures/factories.ts'
import { expect, test } from './app-test.ts'
import { enter } from './screen-states.ts'

/** The line that unfolds a section. */
const section = (dialog: Locator, name: string) =>
  dialog.locator('summary').filter({ hasText: new RegExp(`^${name}`) })

test.afterEach(({ db }) => removeTasks(db))

test('a target names the fields that it needs; Quality, Home and records show what is complete', async ({
  page,
  db,
}, { testId }) => {
  test.slow()
  const rows = [
    ['A-1', 'Pan', 1],
    ['A-2', 'Pot', null],
    ['A-3', 'Lid', null],
  ]
  const config = await aMerge(db, [await aSource(db, ['SKU', 'Name', 'GTIN'], rows, `Codes ${testId}`)])
  const name = `Marketplace ${testId}`
  const task = await aSyncTask(db, {
    name,
    definition: {
      ...{ source_type: 'internal', source_ss_id: '', source_sheet_name: '' },
      source_compiler_config_id: config.id,
    },
  })
  await enter(page, `/compiler/${config.id}`)
  await page.getByRole('button', { name: /^Compile / }).click()
  await expect(page.getByText('Compiled 3 rows into 3 unique SKUs.').first()).toBeVisible()

  await page.goto(`/sync_tasks/${task.id}`)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Sync Task' })
  await section(dialog, 'Rows and columns').click()
  await section(dialog, 'Completeness').click()
  await dialog.getByRole('combobox', { name: 'Fields that a record needs' }).selectOption('These fields')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText(/Name at least one field/).first()).toBeVisible()
  await dialog.getByRole('combobox', { name: 'Needed fields' }).fill('GTIN')
  await dialog.getByRole('combobox', { name: 'Needed fields' }).press('Enter')
  await dialog.getByRole('checkbox', { name: 'Write only complete records' }).check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Sync Task Updated Successfully')).toBeVisible()

  await page.goto(`/compiler/${config.id}`)
  const quality = page.getByRole('table', { name: 'Completeness by target' })
  await expect(quality.getByRole('row', { name: name })).toContainText('33 %')
  await quality.getByRole('link', { name: '2 records lack GTIN' }).click()
  const records = page.getByRole('table', { name: 'Compiled records' })
  await expect(records.getByRole('rowheader')).toHaveText(['A-2', 'A-3'])
  await records.getByRole('button', { name: 'A-2', exact: true }).click()
  await expect(page.getByText(`Incomplete for ${name}: no GTIN`)).toBeVisible()

  await page.goto('/')
  const home = page.getByRole('region', { name: 'Completeness by target' })
  await expect(home.getByRole('listitem').filter({ hasText: name })).toContainText('33 %')
  await home.getByRole('link', { name, exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Quality' })).toBeInViewport()
  await expect(quality.getByRole('row', { name })).toBeInViewport()
  await page.goBack()
  await home
    .getByRole('listitem')
    .filter({ hasText: name })
    .getByRole('link', { name: '2 records lack GTIN' })
    .click()
  await expect(records.getByRole('rowheader')).toHaveText(['A-2', 'A-3'])
  await db.deleteFrom('tasks').where('id', '=', task.id).execute()
})
