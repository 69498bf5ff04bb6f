import { z } from 'zod'
import { addSourceTask } from './add-source-task.ts'
import { addTask, addType } from './add-task.ts'
import { expect, test } from './app-test.ts'
import { send, showTask, signIn } from './as-ada.ts'

const rows = [
  ['SKU', 'Price'],
  ['007', 1.5],
]

const Id = z.object({ id: z.number() })

test.beforeEach(async ({ page }) => signIn(page))

test('owner and tags are edited in the dialog, shown in the row, and filter the list', async ({ page }, {
  testId,
}) => {
  const type = await addType(page, `Owned ${testId}`)
  const task = await addTask(page, type, `Mine ${testId}`, rows)
  const other = await addTask(page, type, `Other ${testId}`, rows)
  await send(page, 'PUT', `/api/sync_tasks/${other.id}`, { tags: ['Shop', 'a', 'b', 'c'] })
  const row = await showTask(page, task.name)
  await row.getByRole('button', { name: `More actions for ${task.name}` }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Sync Task' })
  await dialog.getByRole('combobox', { name: 'Owner' }).click()
  await page.getByRole('listbox', { name: 'Owner' }).getByRole('option', { name: /^Ada/ }).click()
  const tags = dialog.getByRole('combobox', { name: 'Tags' })
  await tags.click()
  await tags.pressSequentially('sho')
  await page.getByRole('listbox').getByRole('option', { name: 'Shop' }).click()
  await tags.pressSequentially('nightly,')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(row.getByRole('img', { name: /^Owner: Ada/ })).toBeVisible()
  await expect(row.getByText('nightly')).toBeVisible()

  await page.goto(`/sync_tasks?type=${type}`)
  const articles = page.getByRole('article')
  await expect(articles).toHaveCount(2)
  await expect(page.getByRole('article', { name: other.name }).getByText('+2')).toBeVisible()
  await page.getByRole('combobox', { name: 'Owner' }).selectOption('Me')
  await expect(articles).toHaveCount(1)
  await expect(page).toHaveURL(/owner=me/)
  await page.getByRole('combobox', { name: 'Owner' }).selectOption('Nobody')
  await expect(page.getByRole('article', { name: other.name })).toBeVisible()
  await page.getByRole('combobox', { name: 'Owner' }).selectOption('All owners')
  await page.getByRole('combobox', { name: 'Tag', exact: true }).selectOption('Shop')
  await expect(articles).toHaveCount(2)
  await page.getByRole('combobox', { name: 'Tag', exact: true }).selectOption('nightly')
  await expect(articles).toHaveCount(1)
  await page.getByRole('button', { name: 'Tag: nightly' }).click()
  await expect(articles).toHaveCount(2)
})

test('notes are written as Markdown on the page, marked in the row, and never overwrite those of a colleague unseen', async ({
  page,
}, { testId }) => {
  const task = await addTask(page, await addType(page, `Noted ${testId}`), `Noted ${testId}`, rows)
  await page.goto(`/sync_tasks/${task.id}`)
  const notes = page.getByRole('region', { name: 'Notes' })
  await notes.getByRole('button', { name: 'Add notes' }).click()
  const text = notes.getByRole('textbox', { name: 'Notes' })
  await expect(text).toBeFocused()
  await text.fill('## Mondays\n\nAsk [Bea](https://example.com/bea) <b>first</b>')
  // Another field changes meanwhile.
  await send(page, 'PUT', `/api/sync_tasks/${task.id}`, { tags: ['late'] })
  await notes.getByRole('button', { name: 'Save' }).click()
  await expect(notes.getByRole('heading', { name: 'Mondays' })).toBeVisible()
  await expect(notes.getByRole('link', { name: 'Bea' })).toHaveAttribute('rel', /noopener/)
  await expect(notes).toContainText('<b>first</b>')
  await expect(page.getByRole('region', { name: 'State' })).toContainText('late')

  await notes.getByRole('button', { name: 'Edit notes' }).click()
  await text.fill('Mine')
  await send(page, 'PUT', `/api/sync_tasks/${task.id}`, { notes: 'Of a colleague' })
  await notes.getByRole('button', { name: 'Save' }).click()
  await expect(notes.getByRole('alert')).toContainText('Of a colleague')
  await expect(text).toHaveValue('Mine')
  await text.fill('Mine, and: of a colleague')
  await notes.getByRole('button', { name: 'Save' }).click()
  await expect(notes.getByText('Mine, and: of a colleague')).toBeVisible()

  const row = await showTask(page, task.name)
  await expect(row.getByRole('img', { name: 'Has notes' })).toBeVisible()
})

test('a copy of a sync task opens the dialog without its target, and is stored once it is saved', async ({
  page,
}, { testId }) => {
  const type = await addType(page, `Copied ${testId}`)
  const task = await addTask(page, type, `Copied ${testId}`, rows)
  await send(page, 'PUT', `/api/sync_tasks/${task.id}`, { start_row: 3, tags: ['Shop'], is_active: false })
  await page.goto(`/sync_tasks?type=${type}`)
  await page.getByRole('button', { name: `More actions for ${task.name}` }).click()
  await page.getByRole('menuitem', { name: 'Duplicate' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add Sync Task' })
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue(`${task.name} (copy)`)
  await expect(dialog.getByRole('textbox', { name: 'Start row' })).toHaveValue('3')
  await expect(dialog.getByRole('combobox', { name: 'Target spreadsheet' })).toHaveValue('')
  await expect(page.getByRole('article')).toHaveCount(1)
  await dialog.getByRole('button', { name: 'Add task' }).click()
  await expect(dialog).toContainText('Target Spreadsheet ID required')
  await dialog.getByRole('combobox', { name: 'Target spreadsheet' }).fill(task.target_ss_id)
  await dialog.getByRole('combobox', { name: 'Target sheet name' }).fill('Second')
  await dialog.getByRole('button', { name: 'Add task' }).click()
  const copy = page.getByRole('article', { name: `${task.name} (copy)` })
  await expect(copy.getByText('Shop', { exact: true })).toBeVisible()
  await expect(copy.getByRole('switch')).not.toBeChecked()
})

test('a source task is duplicated from its page, which opens the copy', async ({ page }, { testId }) => {
  const name = `Source ${testId}`
  const body = { name, source_type: 'sheet', spreadsheet_id: 'a-sheet-of-a-supplier', sheet_name: 'Data' }
  const types = await send(page, 'POST', '/api/source_task_types', { name })
  const { id: source_task_type_id } = types as { id: number }
  const task = (await send(page, 'POST', '/api/source_tasks', { ...body, source_task_type_id })) as {
    id: number
  }
  await page.goto(`/source_tasks/${task.id}`)
  await page.getByRole('button', { name: `More actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Duplicate' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add Source Task' })
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue(`${name} (copy)`)
  await dialog.getByRole('button', { name: 'Add Source Task' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`${name} (copy)`)
  expect(page.url()).not.toContain(`/source_tasks/${task.id}`)
})

test('Copy link copies the absolute address of a task and says so', async ({ page, context }, { testId }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const task = await addTask(page, await addType(page, `Linked ${testId}`), `Linked ${testId}`, rows)
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  const row = await showTask(page, task.name)
  await row.getByRole('button', { name: `More actions for ${task.name}` }).click()
  await page.getByRole('menuitem', { name: 'Copy link' }).click()
  await expect(page.getByText(`The link to ${task.name} is copied`)).toBeVisible()
  const address = new URL(`/sync_tasks/${task.id}`, page.url()).href
  expect(await copied()).toBe(address)

  await page.goto(address)
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException('Not allowed'))
  })
  await page.getByRole('button', { name: `More actions for ${task.name}` }).click()
  await page.getByRole('menuitem', { name: 'Copy link' }).click()
  await expect(page.getByText(`The address is ${address}`)).toBeVisible()
})

test('a compiler configuration has an owner, tags and notes on its page and in the list', async ({ page }, {
  testId,
}) => {
  const master = await addSourceTask(page, null, `Master ${testId}`)
  const name = `Catalogue ${testId}`
  const body = { name, source_task_ids: [master], master_source_id: master }
  const { id } = Id.parse(await send(page, 'POST', '/api/compiler/configs', body))
  await page.goto(`/compiler/${id}`)
  const facts = page.getByRole('region', { name: 'Configuration', exact: true })
  await expect(facts).toContainText('OwnerNobody')
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Configuration' })
  await dialog.getByRole('combobox', { name: 'Owner' }).click()
  await page.getByRole('listbox', { name: 'Owner' }).getByRole('option', { name: /^Ada/ }).click()
  await dialog.getByRole('combobox', { name: 'Tags' }).pressSequentially('catalogue,')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(facts).toContainText('OwnerAda Fields')
  await expect(facts).toContainText('Tagscatalogue')

  const notes = page.getByRole('region', { name: 'Notes' })
  await notes.getByRole('button', { name: 'Add notes' }).click()
  await notes.getByRole('textbox', { name: 'Notes' }).fill('Ask **Bea**.')
  // A colleague changes another field meanwhile.
  await send(page, 'PUT', `/api/compiler/configs/${id}`, { description: 'All products' })
  await notes.getByRole('button', { name: 'Save' }).click()
  await expect(notes.locator('strong', { hasText: 'Bea' })).toBeVisible()
  await expect(page.getByRole('paragraph').filter({ hasText: 'All products' })).toBeVisible()

  await page.goto('/compiler?tab=configs')
  const row = page.getByRole('row', { name: new RegExp(name) })
  await expect(row.getByText('catalogue', { exact: true })).toBeVisible()
  await expect(row.getByRole('img', { name: 'Owner: Ada Fields' })).toBeVisible()
  await expect(row.getByRole('img', { name: 'Has notes' })).toBeVisible()
})
