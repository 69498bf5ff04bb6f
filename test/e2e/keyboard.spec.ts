import { addTask, addType } from './add-task.ts'
import { expect, test } from './app-test.ts'
import { openList, showTask } from './as-ada.ts'
import { goTo } from './by-keyboard.ts'
import { makeSpreadsheet, slowGoogle } from './google-sheets.ts'

test.afterEach(() => slowGoogle(0))

test('by keyboard, a user signs in, adds, runs, stops, edits, reads and clears logs, views data, moves and deletes', async ({
  page,
}) => {
  // a long test: a complete session from start to end
  test.slow()
  const press = (key: string) => page.keyboard.press(key)
  const type = (text: string) => page.keyboard.type(text)
  const open = async (opener: string, item: string) => {
    await goTo(page, page.getByRole('button', { name: opener, exact: true }))
    await press('Enter')
    await expect(page.getByRole('menuitem').first()).toBeFocused()
    await goTo(page, page.getByRole('menuitem', { name: item, exact: true }), 'ArrowDown')
    await press('Enter')
  }
  const search = async (text: string) => {
    const field = page.getByRole('searchbox', { name: 'Search tasks' })
    await expect(field).toBeVisible()
    await press('/')
    await expect(field).toBeFocused()
    await type(text)
  }
  const pick = async (field: string, text: string, option: RegExp | string) => {
    const box = page.getByRole('combobox', { name: field })
    await expect(box).toBeFocused()
    await type(text)
    await expect(page.getByRole('listbox').getByRole('option')).toHaveText([option])
    // A list that is still opening resets its active option, so the key is pressed again.
    await expect(async () => {
      await press('ArrowDown')
      await press('Enter')
      await expect(box).toHaveValue(option, { timeout: 1000 })
    }).toPass()
    await press('Tab')
  }

  await page.goto('/')
  await goTo(page, page.getByRole('banner').getByRole('button', { name: 'Sign in' }))
  await press('Enter')
  await goTo(page, page.getByRole('link', { name: 'Sign in with Google' }))
  await press('Enter')
  await goTo(page, page.getByRole('button', { name: /ada@example\.com/ }))
  await press('Enter')
  await expect(page.getByRole('heading', { name: 'Sync Tasks', level: 1 })).toBeVisible()

  const typeName = 'Manual'
  const other = await addTask(page, await addType(page, typeName), 'Other by hand', [['SKU']])
  await makeSpreadsheet('From hand', [
    ['SKU', 'Price'],
    ['007', 1.5],
  ])
  await makeSpreadsheet('Into hand', [['SKU']])

  const add = page.getByRole('button', { name: 'Add task' }).first()
  await goTo(page, add)
  await press('Enter')
  await pick('Task type', 'Manu', typeName)
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused()
  await type('Typed by hand')
  await goTo(page, page.getByRole('radio', { name: 'Google Sheet' }))
  await press('Tab')
  await pick('Source spreadsheet', 'From ha', /^From hand/)
  await pick('Source sheet name', 'D', 'Data')
  await pick('Target spreadsheet', 'Into ha', /^Into hand/)
  await pick('Target sheet name', 'D', 'Data')
  await goTo(page, page.getByRole('dialog').getByRole('button', { name: 'Add task' }))
  await press('Enter')
  await expect(page.getByText('Sync Task Added Successfully')).toBeVisible()
  await expect(add).toBeFocused()

  await search('hand')
  const row = page.getByRole('article', { name: 'Typed by hand' })
  const run = row.getByRole('button', { name: 'Run Typed by hand' })
  await slowGoogle(1500)
  await goTo(page, run)
  await press('Enter')
  await expect(row.getByText('In Progress')).toBeVisible()
  await expect(row.getByRole('button', { name: 'Stop Typed by hand' })).toBeFocused()
  await press('Enter')
  await expect(row.getByText('Stopped', { exact: true })).toBeVisible()
  await expect(run).toBeFocused()
  await slowGoogle(0)
  await press('Enter')
  await expect(row.getByText('Success', { exact: true })).toBeVisible()
  await expect(run).toBeFocused()

  await open('More actions for Typed by hand', 'Edit')
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused()
  await press('ControlOrMeta+a')
  const name = 'Edited by hand'
  await type(name)
  await press('Enter')
  const more = page.getByRole('button', { name: `More actions for ${name}` })
  await expect(more).toBeFocused()

  await goTo(page, page.getByRole('link', { name: `Logs of ${name}` }), 'Shift+Tab')
  await press('Enter')
  await expect(page.getByRole('heading', { name: `Logs of ${name} Data` })).toBeFocused()
  await expect(page.getByRole('cell', { name: 'SUCCESS', exact: true })).toBeVisible()
  await goTo(page, page.getByRole('button', { name: 'Clear Logs' }))
  await press('Enter')
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Cancel' })).toBeFocused()
  await goTo(page, page.getByRole('dialog').getByRole('button', { name: 'Clear Logs' }))
  await press('Enter')
  await expect(page.getByRole('heading', { name: 'No logs found.' })).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.locator(':focus')).toBeVisible()
  await goTo(page, page.getByRole('link', { name: 'Back to Sync Tasks' }), 'Shift+Tab')
  await press('Enter')
  await expect(page.getByRole('heading', { name: 'Sync Tasks', level: 1 })).toBeFocused()

  await search('hand')
  await open(`More actions for ${name}`, 'Copied data')
  await expect(page.getByRole('heading', { name: `Copied data of ${name} Data` })).toBeVisible()
  const columns = page.getByRole('button', { name: 'Select Columns' })
  await goTo(page, columns)
  await press('Enter')
  await expect(page.getByRole('searchbox', { name: 'Search columns' })).toBeFocused()
  await goTo(page, page.getByRole('checkbox', { name: 'Price' }))
  await press('Space')
  await goTo(page, page.getByRole('button', { name: 'Show' }))
  await press('Enter')
  await expect(page.getByRole('columnheader')).toHaveText(['SKU'])
  await expect(columns).toBeFocused()
  await goTo(page, page.getByRole('columnheader').getByRole('button', { name: 'SKU' }))
  await press('Enter')
  await expect(page.getByRole('columnheader', { name: 'SKU' })).toHaveAttribute('aria-sort', 'ascending')
  await goTo(page, page.getByRole('link', { name: 'Back to Sync Tasks' }), 'Shift+Tab')
  await press('Enter')

  await search('hand')
  await open(`More actions for ${name}`, 'Move up')
  await expect(page.getByText(`${name} is number 1 of 2 now`)).toBeVisible()
  await expect(more).toBeFocused()
  await press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Run' })).toBeFocused()
  await press('ArrowUp')
  await expect(page.getByRole('menuitem', { name: 'Delete' })).toBeFocused()
  await press('Enter')
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Cancel' })).toBeFocused()
  await press('Tab')
  await press('Enter')
  await expect(row).toHaveCount(0)
  await expect(page.getByRole('button', { name: `More actions for ${other.name}` })).toBeFocused()
})

test.describe('signed in', () => {
  test.beforeEach(async ({ page }) => openList(page))

  test('a type is added by keyboard: n opens the form, Enter saves it', async ({ page }) => {
    await page.goto('/sync_task_types')
    await expect(page.getByRole('heading', { name: 'Sync Task Types' })).toBeVisible()
    await page.keyboard.press('n')
    const name = page.getByLabel('Type Name')
    await expect(name).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByText('Name is required')).toBeVisible()
    await expect(name).toBeFocused()
    await page.keyboard.type('Typed by keyboard')
    await expect(page.getByText('Name is required')).toHaveCount(0)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('row', { name: /Typed by keyboard/ })).toBeVisible()
  })

  test('the first invalid field gets the focus if a form cannot be sent', async ({ page }) => {
    await page.keyboard.press('n')
    const dialog = page.getByRole('dialog', { name: 'Add Sync Task' })
    await expect(dialog.getByRole('combobox', { name: 'Task type' })).toBeFocused()
    await dialog.getByRole('textbox', { name: 'Name' }).focus()
    await page.keyboard.press('Enter')
    await expect(dialog.getByRole('alert')).toHaveText(/^Check the \d marked fields\.$/)
    await expect(dialog.locator('[aria-invalid=true]').first()).toBeFocused()
  })

  test('the row menu opens, moves, closes and returns the focus by keyboard', async ({ page }) => {
    const { name } = await addTask(page, await addType(page, 'Keyboard'), 'Keyboard task', [['SKU']])
    await showTask(page, name)
    const more = page.getByRole('button', { name: `More actions for ${name}` })
    await more.focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('menuitem', { name: 'Run' })).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('menuitem', { name: 'Preview' })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(more).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('menuitem', { name: 'Run' })).toBeFocused()
    await page.getByRole('menuitem', { name: 'Edit' }).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog', { name: 'Edit Sync Task' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(more).toBeFocused()
  })

  test('a slash focuses the search, Escape clears it, and shortcuts do not fire while typing', async ({
    page,
  }) => {
    await addTask(page, await addType(page, 'Search'), 'Searched task', [['SKU']])
    await page.reload()
    const search = page.getByRole('searchbox', { name: 'Search tasks' })
    await expect(search).toBeVisible()
    await page.keyboard.press('/')
    await expect(search).toBeFocused()
    await page.keyboard.type('n/n')
    await expect(search).toHaveValue('n/n')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.keyboard.press('Escape')
    await expect(search).toHaveValue('')
  })

  test('a row of a table is one Tab stop; the arrow keys move in it', async ({ page }) => {
    await page.goto('/unified-task-types')
    const controls = (index: number) => page.getByRole('row').nth(index).getByRole('button')
    await controls(1).first().focus()
    await page.keyboard.press('ArrowRight')
    await expect(controls(1).nth(1)).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(controls(2).first()).toBeFocused()
    await page.keyboard.press('Shift+Tab')
    await expect(controls(1).nth(1)).toBeFocused()
  })

  test('the first Tab offers to skip the navigation', async ({ page }) => {
    await page.keyboard.press('Tab')
    await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('main')).toBeFocused()
  })

  test('a page opened by a link starts at its top, with the focus on its heading and its own title', async ({
    page,
  }) => {
    for (const [link, title] of [
      ['Task Types', 'Sync Task Types'],
      ['Settings', 'Settings'],
      ['Import/Export', 'Import/Export'],
      ['Home', 'Rowferry'],
    ] as const) {
      await goTo(page, page.getByRole('link', { name: link, exact: true }), 'Shift+Tab')
      await page.keyboard.press('Enter')
      await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
      await expect(page.getByRole('heading', { level: 1 })).toContainText(title)
      await expect(page).toHaveTitle(title === 'Rowferry' ? title : `${title} · Rowferry`)
    }
  })

  test('the mobile menu closes with Escape, and when the focus leaves it', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    const opener = page.getByRole('button', { name: 'Open menu' })
    const menu = page.locator('#mobile-menu')
    await goTo(page, opener)
    await page.keyboard.press('Enter')
    await goTo(page, menu.getByRole('link', { name: 'Home' }))
    await page.keyboard.press('Escape')
    await expect(menu).toBeHidden()
    await expect(opener).toBeFocused()
    await page.keyboard.press('Enter')
    await goTo(page, menu.getByRole('link', { name: 'Import/Export' }))
    await page.keyboard.press('Tab')
    await expect(menu).toBeHidden()
    await expect(page.locator(':focus')).toBeVisible()
  })
})
