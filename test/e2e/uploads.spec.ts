import type { Page } from '@playwright/test'
import { addSourceType } from './add-source-task.ts'
import { expect, test } from './app-test.ts'
import { send, signIn } from './as-ada.ts'
import { findsNothing } from './axe.ts'

const csv = (name: string, rows: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(rows) })

/** Drops a file on an element, as from the desktop. */
async function drop(page: Page, on: ReturnType<Page['getByRole']>, name: string, content: string) {
  const data = await page.evaluateHandle(
    ([title, text]) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([text ?? ''], title ?? '', { type: 'text/csv' }))
      return transfer
    },
    [name, content],
  )
  await on.dispatchEvent('dragover', { dataTransfer: data })
  await on.dispatchEvent('drop', { dataTransfer: data })
}

test('a file is uploaded in the form, replaced on the row and on the page, and used again', async ({ page }, {
  testId,
}) => {
  await signIn(page)
  const name = `Uploaded ${testId}`
  await addSourceType(page, name)
  await page.goto('/source_tasks')
  await page.getByRole('button', { name: 'Add Source Task' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Add Source Task' })
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
  await dialog.getByRole('combobox', { name: 'Type', exact: true }).fill(name)
  await page.getByRole('option', { name }).click()
  await dialog.getByRole('combobox', { name: 'Source Type' }).click()
  await page
    .getByRole('listbox', { name: 'Source Type' })
    .getByRole('option', { name: 'Google Sheet' })
    .click()
  await dialog.locator('input[type=file]').setInputFiles(csv('letter.docx', 'no table'))
  await expect(page.getByText('‘letter.docx’ cannot be read.').first()).toBeVisible()
  await dialog.locator('input[type=file]').setInputFiles(csv('january.csv', 'SKU;Price\n007;1,5\n'))
  await expect(dialog.getByText(/CSV, semicolon, UTF-8, quote " · Uploads\/\d+\/january\.csv/)).toBeVisible()
  await expect(dialog.getByRole('combobox', { name: 'CSV delimiter' })).toHaveValue('Detect: Semicolon')
  await dialog.getByRole('textbox', { name: 'New file expected every (hours)' }).fill('24')
  await findsNothing(page, 'The form with an uploaded file')
  await dialog.getByRole('button', { name: 'Add Source Task' }).click()
  await expect(dialog).toBeHidden()

  const row = page.getByRole('article', { name })
  await expect(row.getByLabel('Uploaded file')).toBeVisible()
  await drop(page, row, 'february.csv', 'SKU;Price\n007;2,5\n')
  const question = page.getByRole('dialog', { name: 'Replace the source?' })
  await expect(question).toContainText('reads january.csv (Uploaded file) now')
  await expect(question).toContainText('the uploaded file “february.csv” instead')
  await findsNothing(page, 'The question before a dropped file replaces another source')
  await page.keyboard.press('Escape')
  await expect(question).toBeHidden()
  await expect(row.getByText('january.csv', { exact: true })).toBeVisible()
  // The same file again, such as a corrected one, needs no question.
  await drop(page, row, 'january.csv', 'SKU;Price\n007;1,75\n')
  await expect(page.getByText('“january.csv” is uploaded. The next run reads it.')).toBeVisible()
  await drop(page, row, 'february.csv', 'SKU;Price\n007;2,5\n')
  await question.getByRole('button', { name: 'Replace' }).click()
  await expect(page.getByText('“february.csv” is uploaded. The next run reads it.')).toBeVisible()
  await expect(row.getByText('february.csv', { exact: true })).toBeVisible()
  await row.getByRole('link').first().click()

  const files = page.getByRole('region', { name: 'Uploaded files' })
  await expect(files.getByRole('row').filter({ hasText: 'february.csv' })).toContainText(
    'The next run reads it',
  )
  await files
    .getByRole('button', { name: /^Use again “january\.csv”/ })
    .first()
    .click()
  await expect(files.getByRole('row').filter({ hasText: 'january.csv' }).first()).toContainText(
    'The next run reads it',
  )
  await expect(page.getByText(/^january\.csv, 19 bytes, uploaded /)).toBeVisible()
  await files.locator('input[type=file]').setInputFiles(csv('march.csv', 'SKU;Price\n007;3,5\n'))
  await expect(files.getByRole('row').filter({ hasText: 'march.csv' })).toContainText('The next run reads it')
  await findsNothing(page, 'The page of a task with uploaded files')

  const id = page.url().split('/').at(-1)
  await send(page, 'POST', `/api/source_schedule/trigger_task/${id}?wait=60`, {})
  const rows = await (await page.request.get(`/api/source_tasks/${id}/data_copy`)).json()
  expect(JSON.stringify(rows.data)).toContain('3,5')
  await send(page, 'DELETE', `/api/source_tasks/${id}`)
})

test('an administrator limits a folder to one person, and opens it again', async ({ page }) => {
  await signIn(page)
  await page.goto('/settings#folders')
  const folders = page.getByRole('table', { name: 'Folders' })
  const row = folders.getByRole('row').filter({ hasText: 'Files' }).last()
  await expect(row).toContainText('All users')
  const edit = row.getByRole('button', { name: 'Who may use Files' })
  const dialog = page.getByRole('dialog', { name: 'Who may use Files' })
  const people = dialog.getByRole('combobox', { name: 'Only these people' })
  await edit.click()
  await people.fill('ada@')
  await page.getByRole('option', { name: 'ada@example.com' }).click()
  await people.press('Tab')
  await findsNothing(page, 'Limiting a folder')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(row).toContainText('ada@example.com')
  await edit.click()
  await people.press('Backspace')
  // Closes the list of people, which may cover the button.
  await people.press('Tab')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(row).toContainText('All users')
})
