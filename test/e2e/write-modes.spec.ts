import type { Locator, Page } from '@playwright/test'
import { addTask, addType } from './add-task.ts'
import { expect, test } from './app-test.ts'
import { send, signIn } from './as-ada.ts'
import { pickUp } from './by-keyboard.ts'
import { readSheet, writeCells } from './google-sheets.ts'

const rows = [
  ['SKU', 'Brand', 'Stock', 'Shop'],
  ['007', 'Acme', 5, 'Wien'],
  ['008', 'Bolt', 0, 'Graz'],
  ['', 'acme', 12, 'graz'],
  ['008', 'Core', 3, ''],
]

const section = (dialog: Locator, name: string) =>
  dialog.locator('summary').filter({ hasText: new RegExp(`^${name}`) })

async function editor(page: Page, id: number): Promise<Locator> {
  await page.goto(`/sync_tasks/${id}`)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  return page.getByRole('dialog', { name: 'Edit Sync Task' })
}

async function aTask(page: Page, testId: string) {
  await signIn(page)
  const name = `Modes ${testId}`
  return addTask(page, await addType(page, name), name, rows)
}

test('the mode, its key and what happens to missing rows are chosen with live counts, and shown on page and list', async ({
  page,
}, { testId }) => {
  const task = await aTask(page, testId)
  const dialog = await editor(page, task.id)
  await dialog.getByRole('radio', { name: 'Replace' }).focus()
  await page.keyboard.press('ArrowDown')
  await expect(dialog.getByRole('radio', { name: 'Update by key' })).toBeChecked()

  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText(/^Choose at least one key column/)).toBeVisible()

  await dialog.getByRole('combobox', { name: 'Key columns' }).click()
  await page.keyboard.type('SK')
  await expect(page.getByRole('option', { name: 'SKU' })).toContainText('007, 008')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('status').filter({ hasText: '1 row has no SKU' })).toHaveText(
    '1 row has no SKU; 2 rows share a key with another one, such as ‘008’. A run with these rows stops before it writes.',
  )
  await section(dialog, 'Keys and columns').click()
  await dialog.getByRole('radio', { name: 'Skip these rows' }).check()
  await expect(dialog.getByText('Runs skip these rows, with a warning.')).toBeVisible()

  await section(dialog, 'Missing rows').click()
  await dialog.getByRole('radio', { name: 'Mark them' }).check()
  await dialog.getByRole('combobox', { name: 'Column for the mark' }).fill('SKU')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('‘SKU’ is a key column and cannot take the mark')).toBeVisible()
  await dialog.getByRole('combobox', { name: 'Column for the mark' }).fill('State')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()

  const saved = await send(page, 'GET', `/api/sync_tasks/${task.id}`)
  expect(saved).toMatchObject({
    write_mode: 'update',
    key_columns: ['SKU'],
    on_bad_keys: 'skip',
    on_missing: 'mark',
    mark_column: 'State',
  })
  await expect(page.getByText('Update by SKU')).toBeVisible()
  await page.goto(`/sync_tasks?q=${testId}`)
  await expect(page.getByRole('article').getByText('Update by SKU')).toBeVisible()
})

test('further sources are pasted, moved by keyboard and removed', async ({ page }, { testId }) => {
  const task = await aTask(page, testId)
  const dialog = await editor(page, task.id)
  await section(dialog, 'Further sources').click()
  for (const [number, link] of [
    [2, `https://docs.google.com/spreadsheets/d/${'m'.repeat(44)}/edit#gid=0`],
    [3, `https://docs.google.com/spreadsheets/d/${'n'.repeat(44)}/edit`],
    [4, ''],
  ] as const) {
    await dialog.getByRole('button', { name: 'Add source' }).click()
    const source = dialog.getByRole('group', { name: `Source ${number}` })
    await source.getByRole('combobox', { name: 'Spreadsheet' }).fill(link)
    await source.getByRole('combobox', { name: 'Sheet name' }).fill(`Tab ${number}`)
  }
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('Choose a spreadsheet')).toBeVisible()
  await dialog.getByRole('button', { name: 'Remove source 4' }).click()
  const handle = dialog.getByRole('button', { name: /Source 3/ }).first()
  await pickUp(page, handle, 'Source 3 is picked up, number 2 of 2.')
  await page.keyboard.press('ArrowUp')
  await expect(page.getByText('Source 3 is number 1 of 2 now.')).toBeAttached()
  await page.keyboard.press('Space')
  await expect(
    dialog.getByRole('group', { name: 'Source 2' }).getByRole('combobox', { name: 'Sheet name' }),
  ).toHaveValue('Tab 3')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  expect(await send(page, 'GET', `/api/sync_tasks/${task.id}`)).toMatchObject({
    more_sources: [
      { source_ss_id: 'n'.repeat(44), source_sheet_name: 'Tab 3' },
      { source_ss_id: 'm'.repeat(44), source_sheet_name: 'Tab 2' },
    ],
  })
  await expect(page.getByText('3 sources')).toBeVisible()
})

test('a split lists the tabs that it would make, and values that would make one tab', async ({ page }, {
  testId,
}) => {
  const task = await aTask(page, testId)
  const dialog = await editor(page, task.id)
  await section(dialog, 'One tab per value').click()
  await dialog.getByRole('combobox', { name: 'Split by column' }).fill('Shop')
  await dialog.getByRole('textbox', { name: 'Name of a tab' }).fill('Shop {value}')
  await expect(dialog.getByRole('list', { name: 'Tabs' }).getByRole('listitem')).toHaveText([
    'Shop Wien',
    'Shop Graz',
    'Shop graz',
  ])
  await expect(dialog.getByText('‘Shop Graz’ and ‘Shop graz’ would be the same tab.')).toBeVisible()
  await expect(dialog.getByText('1 row has no Shop.')).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Name of a tab' }).fill('Shop')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText(/^The name needs \{value\}/)).toBeVisible()
})

test('people sort a target by price and keep notes beside it: replace stops with an example, update keeps each note by its product', async ({
  page,
}, { testId }) => {
  const header = ['SKU', 'Name', 'Price']
  const lamp = ['001', 'Lamp', 30]
  const bolt = ['002', 'Bolt', 5]
  const gear = ['003', 'Gear', 12]
  const added = [
    ['101', 'Rope', 7],
    ['102', 'Hook', 2],
    ['103', 'Saw', 19],
  ]
  await signIn(page)
  const name = `Notes by products ${testId}`
  const type = await addType(page, name, { max_retries: 0 })
  const task = await addTask(page, type, name, [header, lamp, bolt, gear])
  await send(page, 'POST', `/api/sync_tasks/${task.id}/execute?wait=60`)
  await writeCells(task.target_ss_id, 'Data!A2', [
    [...bolt, '', 'ordered'],
    [...gear, '', 'ask Eve'],
    [...lamp, '', 'sold out'],
  ])
  await writeCells(task.source_ss_id, 'Data', [header, lamp, ...added, bolt, gear])

  await page.goto(`/sync_tasks/${task.id}`)
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  const notice = page.getByRole('region', { name: 'Cells would lose their rows' })
  await expect(notice).toContainText('‘ordered’ in E2 stands beside 002; it would stand beside 001.')
  await expect(notice.getByRole('button', { name: 'Run it once' })).toBeVisible()
  await notice.getByRole('link', { name: 'Switch to update' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Sync Task' })
  await dialog.getByRole('button', { name: 'Use ‘SKU’' }).click()
  await expect(dialog.getByText('All 6 rows have a key of their own.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()

  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(page.getByText(/By key, 3 rows added, 0 updated, 3 unchanged/).first()).toBeVisible()
  expect(await readSheet(task.target_ss_id, 'Data')).toEqual([
    header,
    [...bolt, '', 'ordered'],
    [...gear, '', 'ask Eve'],
    [...lamp, '', 'sold out'],
    ...added,
  ])
})

test('the last change is undone in a target that was sorted since, and each note stays beside its product', async ({
  page,
}, { testId }) => {
  const header = ['SKU', 'Name', 'Price']
  await signIn(page)
  const name = `Undo by key ${testId}`
  const task = await addTask(page, await addType(page, name), name, [
    header,
    ['001', 'Lamp', 30],
    ['002', 'Bolt', 5],
  ])
  await send(page, 'PUT', `/api/sync_tasks/${task.id}`, { write_mode: 'update', key_columns: ['SKU'] })
  const run = () => send(page, 'POST', `/api/sync_tasks/${task.id}/execute?wait=60`)
  await run()
  await writeCells(task.target_ss_id, 'Data!E2', [['sold out'], ['ordered']])
  await writeCells(task.source_ss_id, 'Data', [
    header,
    ['001', 'Lamp', 3000],
    ['002', 'Bolt', 5],
    ['003', 'Gear', 12],
  ])
  await run()
  await writeCells(task.target_ss_id, 'Data!A2', [
    ['002', 'Bolt', 5, '', 'ordered'],
    ['003', 'Gear', 12, '', 'ask Eve'],
    ['001', 'Lamp', 3000, '', 'sold out'],
  ])

  await page.goto(`/sync_tasks/${task.id}`)
  await page.getByRole('button', { name: 'Undo the last change' }).click()
  await expect(page.getByRole('heading', { level: 1, name: /^Undo run \d+/ })).toBeVisible()
  await expect(page.getByRole('row', { name: /Changed/ })).toHaveCount(1)
  await page.getByRole('button', { name: 'Write these rows' }).click()
  await expect(page.getByRole('region', { name: 'Older version' })).toBeVisible()
  expect(await readSheet(task.target_ss_id, 'Data')).toEqual([
    header,
    ['002', 'Bolt', 5, '', 'ordered'],
    ['', '', '', '', 'ask Eve'],
    ['001', 'Lamp', 30, '', 'sold out'],
  ])
})
