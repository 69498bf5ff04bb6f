import type { Page } from '@playwright/test'
import { addTask, addType } from './add-task.ts'
import { expect, test } from './app-test.ts'
import { send, signIn } from './as-ada.ts'
import { readSheet, writeCells } from './google-sheets.ts'

const header = ['SKU', 'Price']
const rows = Array.from({ length: 6 }, (_, n) => [`SKU-${n}`, n])

/** Two tasks of one type that have run, and whose sources have changed since; the second loses a row. */
async function changedTasks(page: Page, name: string) {
  await signIn(page)
  const type = await addType(page, name, { max_retries: 0, allowed_concurrent_tasks: 2 })
  const kept = await addTask(page, type, `${name} kept`, [header, ...rows])
  const shorter = await addTask(page, type, `${name} shorter`, [header, ...rows])
  for (const { id } of [kept, shorter]) await send(page, 'POST', `/api/sync_tasks/${id}/execute?wait=60`)
  await writeCells(kept.source_ss_id, 'Data!B2', [[99]])
  await writeCells(shorter.source_ss_id, 'Data!A7', [['', '']])
  return { kept, shorter }
}

test('selected tasks are previewed on one page; all plans are written after a confirmation that names what is lost', async ({
  page,
}, { testId }) => {
  const name = `Many ${testId}`
  const { kept, shorter } = await changedTasks(page, name)
  await page.goto(`/sync_tasks?q=${encodeURIComponent(name)}`)
  await page
    .getByRole('checkbox', { name: /Select .*group|Select .* tasks of/ })
    .first()
    .check()
  const bar = page.getByRole('region', { name: 'Selected tasks' })
  await bar.getByRole('button', { name: 'Preview' }).press('Enter')
  await expect(page).toHaveURL(/\/plans\?runs=\d/)
  await expect(page.getByRole('status').filter({ hasText: '2 previews ready' })).toBeVisible()
  const navigation = page.getByRole('navigation', { name: 'Main' }).first()
  await expect(navigation.getByRole('link', { name: 'Sync Tasks' })).toHaveAttribute('aria-current', 'true')
  const total = page.getByRole('region', { name: 'In total' })
  await expect(total.getByRole('listitem').first()).toHaveText('1 row removed, in 1 task')
  await expect(total).toContainText('1 cell changed, in 1 task')
  await expect(page.getByRole('row', { name: new RegExp(`${name} shorter`) })).toContainText('Loses data')
  expect((await readSheet(kept.target_ss_id, 'Data'))[1]).not.toContain(99)

  await page.getByRole('button', { name: 'Write all 2 plans' }).click()
  const dialog = page.getByRole('dialog', { name: 'Write 2 plans?' })
  await expect(dialog).toContainText('1 plan loses data')
  await expect(dialog).toContainText(`${name} shorter (Data) 1 of 6 rows removed`)
  await dialog.getByRole('button', { name: 'Write all 2 plans' }).click()
  await expect(page.getByText(/^Run \d+ has written these rows\.$/)).toHaveCount(2)
  expect(await readSheet(shorter.target_ss_id, 'Data')).toHaveLength(6)

  await page.getByRole('link', { name: `${name} kept` }).click()
  await expect(page).toHaveURL(new RegExp(`/sync_tasks/${kept.id}/plans/\\d+$`))
  await expect(page.getByRole('link', { name: 'Open B2 in the spreadsheet' })).toHaveAttribute(
    'href',
    new RegExp(`/spreadsheets/d/${kept.target_ss_id}/edit#gid=\\d+&range=B2$`),
  )
})

test('a group is previewed from its header; a plan is written alone', async ({ page }, { testId }) => {
  const name = `Group ${testId}`
  const { kept, shorter } = await changedTasks(page, name)
  await page.goto('/sync_tasks')
  await page.getByRole('button', { name: `Preview of ${name}`, exact: true }).click()
  await expect(page.getByRole('status').filter({ hasText: '2 previews ready' })).toBeVisible()
  await page.getByRole('button', { name: `Write the rows of ${name} kept` }).click()
  await expect(page.getByText(/^Run \d+ has written these rows\.$/)).toHaveCount(1)
  expect((await readSheet(kept.target_ss_id, 'Data'))[1]?.[1]).toBe(99)
  expect(await readSheet(shorter.target_ss_id, 'Data')).toHaveLength(7)

  await page.goto(`/sync_tasks/${shorter.id}`)
  const history = page.getByRole('table', { name: 'Runs' })
  await expect(history.getByRole('row', { name: /Success Preview/ })).toHaveCount(1)
  await expect(history.getByRole('row', { name: /Success/ })).toHaveCount(2)
  await page.getByRole('link', { name: 'All runs of this task' }).click()
  await expect(page.getByRole('row', { name: /Preview of a sync task/ })).toHaveCount(1)
})
