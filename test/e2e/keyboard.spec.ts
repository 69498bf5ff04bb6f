import { addTask, addType } from './add-task.ts'
import { expect, test } from './app-test.ts'
import { showTask, signIn } from './as-ada.ts'

test.beforeEach(async ({ page }) => signIn(page))

test('a type is added by keyboard alone: n opens the form, Enter saves it', async ({ page }) => {
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

test('the first marked field takes the focus when a form cannot be sent', async ({ page }) => {
  await page.keyboard.press('n')
  const dialog = page.getByRole('dialog', { name: 'Add Sync Task' })
  await expect(dialog.getByRole('combobox', { name: 'Task type' })).toBeFocused()
  await dialog.getByRole('textbox', { name: 'Name' }).focus()
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('alert')).toHaveText(/^Check the \d marked fields\.$/)
  await expect(dialog.locator('[aria-invalid=true]').first()).toBeFocused()
})

test('the row menu opens, walks, closes and gives the focus back by keyboard', async ({ page }) => {
  const { name } = await addTask(page, await addType(page, 'Keyboard'), 'Keyboard task', [['SKU']])
  await showTask(page, name)
  const more = page.getByRole('button', { name: `More actions for ${name}` })
  await more.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Run' })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('menuitem', { name: 'Check readiness' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(more).toBeFocused()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Edit' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Edit Sync Task' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(more).toBeFocused()
})

test('a slash goes to the search, Escape empties it, and a shortcut never fires while one types', async ({
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

test('the first Tab offers to skip the navigation', async ({ page }) => {
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
})
