import { unifiedTaskTypes } from '../../src/contract/task-types/calls.ts'
import { aConfig } from '../fixtures/factories.ts'
import { expect, test } from './app-test.ts'
import { send } from './as-ada.ts'
import { enter } from './screen-states.ts'

test('a pipeline by hand: a source type, a dependent compiler type, a dependent sync type; no cycle, and no lost edit', async ({
  page,
  db,
}) => {
  test.slow()
  await enter(page, '/')
  await page.goto('/unified-task-types')
  const dialog = page.getByRole('dialog')
  const row = (name: string) =>
    page.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) })
  const create = async (name: string, category: string, depends_on?: string) => {
    await page.getByRole('button', { name: 'Create Task Type' }).click()
    await dialog.getByRole('textbox', { name: 'Name' }).fill(name)
    await dialog.getByRole('combobox', { name: 'Category' }).click()
    await page.getByRole('listbox').getByRole('option', { name: category }).click()
    if (depends_on) await depend(depends_on)
  }
  const depend = async (on: string) => {
    await dialog.getByRole('combobox', { name: 'Depends On' }).fill(on)
    await page.getByRole('listbox').getByRole('option', { name: on, exact: true }).click()
  }
  const save = dialog.getByRole('button', { name: 'Save' })

  await create('Line source', 'Source')
  await expect(page.getByRole('dialog', { name: 'Create Task Type' })).toBeVisible()
  await save.click()
  await expect(row('Line source')).toContainText(/Source.*None.*1.*Active/)
  await expect(page.getByRole('columnheader')).toHaveText([
    'Name',
    'Category',
    'Description',
    'Dependencies',
    'Concurrent',
    'Status',
    'Actions',
  ])

  const config = await aConfig(db, { name: 'Line catalogue' })
  await create('Line compile', 'Compiler', 'Line source')
  await save.click()
  await expect(dialog).toContainText('Compiler Config ID is required for compiler task types')
  await expect(save).toBeDisabled()
  await dialog.getByRole('combobox', { name: 'Compiler Config' }).click()
  await page.getByRole('listbox').getByRole('option', { name: config.name }).click()
  await save.click()
  await expect(row('Line compile')).toContainText(/Compiler.*Line source/)

  await create('Line sync', 'Sync', 'Line compile')
  await expect(dialog.getByRole('textbox', { name: 'Cron' })).toHaveCount(0)
  await save.click()
  await expect(row('Line sync')).toContainText(/Sync.*Line compile/)

  await page.getByRole('button', { name: 'Graph', exact: true }).click()
  const graph = page.getByRole('dialog', { name: 'Dependency Graph' })
  for (const name of ['Line source', 'Line compile', 'Line sync'])
    await expect(graph.getByRole('button', { name: new RegExp(`^${name},`) })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(graph).toHaveCount(0)

  await page.getByRole('button', { name: 'Edit Line source' }).click()
  await dialog.getByRole('textbox', { name: 'Description' }).fill('Typed meanwhile')
  const types = unifiedTaskTypes.list.reply.parse(await send(page, 'GET', '/api/unified_task_types'))
  const id = types.find(({ name }) => name === 'Line source')?.id
  await send(page, 'PUT', `/api/unified_task_types/${id}`, { max_retries: 7 })
  await save.click()
  await dialog.getByRole('button', { name: 'Load again' }).click()
  await expect(dialog.getByRole('textbox', { name: 'Max Retries' })).toHaveValue('7')
  await expect(dialog.getByRole('textbox', { name: 'Description' })).toHaveValue('Typed meanwhile')
  await save.click()
  await expect(row('Line source')).toContainText('Typed meanwhile')

  await page.getByRole('button', { name: 'Edit Line source' }).click()
  await expect(page.getByRole('dialog', { name: 'Edit Task Type' })).toBeVisible()
  await expect(dialog.getByRole('combobox', { name: 'Category' })).toBeDisabled()
  await depend('Line sync')
  await save.click()
  await expect(dialog).toContainText('Circular dependency detected. Please select a different dependency.')
  await expect(save).toBeDisabled()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Discard' }).click()

  await page.getByRole('searchbox', { name: 'Search task types' }).fill('line')
  await page.getByRole('combobox', { name: 'Category' }).selectOption('Compiler')
  await expect(row('Line source')).toBeVisible()
  await page.getByRole('button', { name: 'Apply Filters' }).click()
  await expect(row('Line source')).toHaveCount(0)
  await expect(row('Line compile')).toBeVisible()
  await expect(page).toHaveURL(/q=line&category=compiler/)

  await page.getByRole('button', { name: 'Delete Line compile' }).click()
  await expect(dialog).toContainText(
    'Are you sure you want to delete "Line compile"? This action cannot be undone.',
  )
  await expect(dialog).toContainText('Other task types depend on this one (1 dependent types).')
})
