import { readFile } from 'node:fs/promises'
import { aMerge, aSource, removeTasks } from '../fixtures/compiling.ts'
import { expect, test } from './app-test.ts'
import { findsNothing } from './axe.ts'
import { enter } from './screen-states.ts'

test.afterEach(({ db }) => removeTasks(db))

test('configurations are exported, changed in the file, and imported; refused rows are named', async ({
  page,
  db,
}) => {
  test.slow()
  const master = await aSource(db, ['SKU', 'Colour'], [['A-1', 'blk']], 'Shop master')
  const config = await aMerge(db, [master])
  await db
    .updateTable('compiler_configs')
    .set({
      stale_days: 9,
      field_rules: JSON.stringify([
        { field: 'Colour', steps: [{ kind: 'map', values: [{ from: 'blk', to: 'Black' }] }] },
      ]),
    })
    .where('id', '=', config.id)
    .execute()
  await enter(page, '/compiler')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const file = await download
  expect(file.suggestedFilename()).toBe('compiler_configs.csv')
  await expect(page.getByText('Compiler configurations exported')).toBeVisible()
  const text = (await readFile(await file.path())).toString()
  const [, line = ''] = text.split(/\r?\n/)
  expect(line).toContain('blk')

  await page.getByRole('button', { name: 'Import', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Import configurations' })
  const send = async (content: string) => {
    await dialog
      .locator('input[type=file]')
      .setInputFiles({ name: 'configs.csv', mimeType: 'text/csv', buffer: Buffer.from(content) })
    await dialog.getByRole('button', { name: 'Import', exact: true }).click()
  }
  await send(text)
  await expect(dialog.getByRole('status')).toHaveText('0 created, 0 updated, 1 unchanged')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await send(
    `${text}${line.replace(config.name, 'Second catalogue')}\n${line.replace(config.name, 'Third').replace('Shop master', 'Nowhere')}\n`,
  )
  await expect(dialog.getByRole('status')).toContainText('1 created, 0 updated, 1 unchanged')
  const refused = dialog.getByRole('table')
  await expect(refused.getByRole('row').last()).toContainText('Nowhere')
  await findsNothing(page, 'The import of configurations with refused rows')
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Second catalogue', exact: true }).click()
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const editor = page.getByRole('dialog', { name: 'Edit Configuration' })
  await expect(editor.locator('summary', { hasText: 'Normalisation' })).toContainText('1')
  await expect(editor.locator('summary', { hasText: 'Unchanged sources' })).toContainText('after 9 days')
})
