import { aMerge, aSource, removeTasks } from '../fixtures/compiling.ts'
import { expect, test } from './app-test.ts'
import { enter } from './screen-states.ts'

test.afterEach(({ db }) => removeTasks(db))

const DAY_MS = 86_400_000

test('the editor names sources that have not changed for so long; a compile warns of them until it is acknowledged', async ({
  page,
  db,
}) => {
  test.slow()
  const master = await aSource(db, ['SKU', 'Price'], [['A-1', 1]], 'Shop master')
  const supplier = await aSource(db, ['SKU', 'Price'], [['A-1', 2]], 'Old supplier')
  await db
    .updateTable('source_tasks')
    .set({ changed_at: new Date(Date.now() - 12 * DAY_MS) })
    .where('task_id', '=', supplier)
    .execute()
  const config = await aMerge(db, [master, supplier])
  await enter(page, `/compiler/${config.id}`)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Configuration' })
  await dialog.locator('summary', { hasText: 'Unchanged sources' }).click()
  const days = dialog.getByRole('textbox', { name: 'Warn after this many days without a change' })
  await days.fill('13')
  await expect(dialog.getByText('Now of none of 2 sources.')).toBeVisible()
  await days.fill('12')
  await expect(dialog.getByText('Now of 1 of 2 sources: Old supplier.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  await page.getByRole('button', { name: /^Compile / }).click()
  const warning = page.getByText(/^The rows of ‘Old supplier’ have not changed for 12 days, since /)
  await expect(warning.first()).toBeVisible()

  await page.goto('/')
  await expect(
    page.getByRole('region', { name: 'Needs attention' }).getByText(/have not changed for 12 days/),
  ).toBeVisible()
  await page
    .getByRole('region', { name: 'Needs attention' })
    .getByRole('button', { name: /^Acknowledge/ })
    .click()
  await expect(warning).toBeHidden()
  // The same state is not reported again.
  await page.goto(`/compiler/${config.id}`)
  await page.getByRole('button', { name: /^Compile / }).click()
  await expect(page.getByText('Compiled 2 rows into 1 unique SKU.').first()).toBeVisible()
  await page.goto('/')
  await expect(
    page
      .getByText('No task needs attention')
      .or(page.getByText(/^Everything/))
      .first(),
  ).toBeVisible()
  await expect(warning).toBeHidden()
})
