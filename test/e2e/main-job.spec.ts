import { expect, test } from './app-test.ts'
import { makeSpreadsheet, readSheet } from './google-sheets.ts'

const rows = [
  ['SKU', 'Name', 'Price', 'Active', 'Note'],
  ['007', 'Hammer', 20.69, true, ' leading and trailing '],
  ['1/2', 'Überwurf “M”', -0.125, false, 'two\nlines'],
  ['TRUE', '日本語', 1e15, true, '=not a formula'],
]

test('a user signs in, adds a type and a task, runs it, reads its log and data, and finds every value in the target', async ({
  page,
  sandboxUrl,
}) => {
  const source = await makeSpreadsheet('Main job source', rows)
  const target = await makeSpreadsheet('Main job target')

  await page.goto('/')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('link', { name: 'Sign in with Google' }).click()
  await page.getByText('ada@example.com').click()
  await expect(page.getByRole('heading', { name: 'Sync Tasks', level: 1 })).toBeVisible()

  await page.getByRole('link', { name: 'Task Types', exact: true }).click()
  await page.getByRole('button', { name: 'Add Type' }).first().click()
  await page.getByLabel('Type Name').fill('Main job type')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Task type created successfully')).toBeVisible()
  await expect(page.getByRole('row', { name: /Main job type/ })).toBeVisible()

  await page.getByRole('link', { name: 'Sync Tasks', exact: true }).click()
  await page.getByRole('button', { name: 'Add task' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Add Sync Task' })
  await dialog.getByRole('combobox', { name: 'Task type' }).fill('Main job')
  await page.getByRole('option', { name: 'Main job type' }).click()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Main job')
  await dialog.getByRole('combobox', { name: 'Source spreadsheet' }).fill('Main job source')
  await page.getByRole('option', { name: /Main job source/ }).click()
  await dialog.getByRole('combobox', { name: 'Source sheet name' }).click()
  await page.getByRole('option', { name: 'Data' }).click()
  const address = `https://docs.google.com/spreadsheets/d/${target}/edit#gid=0`
  await dialog.getByRole('combobox', { name: 'Target spreadsheet' }).fill(address)
  await expect(dialog.getByText(`1 sheet · ${target}`)).toBeVisible()
  await dialog.getByRole('combobox', { name: 'Target sheet name' }).fill('Shop')
  await expect(dialog.getByText('This sheet does not exist yet. The first run creates it.')).toBeVisible()
  // A viewport so low that the list starts below the fold.
  await page.setViewportSize({ width: 1440, height: 320 })
  await dialog.getByRole('button', { name: 'Add task' }).click()
  await expect(page.getByText('Sync Task Added Successfully')).toBeVisible()
  const row = page.getByRole('article', { name: 'Main job' })
  await expect(row).toBeInViewport()
  await page.setViewportSize({ width: 1440, height: 900 })

  await expect(row.getByText('Pending')).toBeVisible()
  await row.getByRole('button', { name: 'Run Main job' }).click()
  await expect(row.getByText('Success', { exact: true })).toBeVisible()
  await expect(row.getByText('Main job source / Data')).toBeVisible()
  await expect(row.getByText('Main job target / Shop')).toBeVisible()

  await row.getByRole('link', { name: 'Main job Shop', exact: true }).click()
  await expect(page.getByText(/Copied 3 rows of 5 columns .* the target equals the source/)).toBeVisible()

  await page.getByRole('link', { name: 'Logs', exact: true }).click()
  await expect(page.getByRole('cell', { name: 'SUCCESS', exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Clear Logs' }).click()
  await page
    .getByRole('dialog', { name: 'Confirm Clear Logs' })
    .getByRole('button', { name: 'Clear Logs' })
    .click()
  await expect(page.getByText('Logs cleared successfully')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'No logs found.' })).toBeVisible()

  await page.goBack()
  await page.getByRole('link', { name: 'Copied data' }).click()
  const table = page.getByRole('table', { name: 'Copied data' })
  await expect(table.getByRole('cell', { name: '日本語' })).toBeVisible()
  await page.getByRole('button', { name: 'Select Columns' }).click()
  await page.getByRole('checkbox', { name: 'Note' }).uncheck()
  await page.getByRole('button', { name: 'Show' }).click()
  await expect(table.getByRole('columnheader')).toHaveText(['SKU', 'Name', 'Price', 'Active'])

  expect(await readSheet(target, 'Shop')).toEqual(rows)
  expect(await readSheet(source, 'Data')).toEqual(rows)
  await page.goto(sandboxUrl)
  await page.getByRole('link', { name: /Main job target/ }).click()
  await page.getByRole('navigation', { name: 'Tabs' }).getByText('Shop').click()
  await expect(page.getByText('Hammer')).toBeVisible()
})
