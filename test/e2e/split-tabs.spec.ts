import { z } from 'zod'
import { planMessages } from '../../src/contract/plans/client-messages.ts'
import { planServerMessages } from '../../src/contract/plans/server-messages.ts'
import { versionMessages } from '../../src/contract/versions/client-messages.ts'
import { addTask, addType } from './add-task.ts'
import { expect, test } from './app-test.ts'
import { send, signIn } from './as-ada.ts'
import { readSheet, writeCells } from './google-sheets.ts'

const { lines } = planServerMessages

const Runs = z.object({ runs: z.array(z.object({ id: z.number() })) })

test('the tabs that a run has written are listed on the page of the task and in the report of the run', async ({
  page,
}, { testId }) => {
  await signIn(page)
  const name = `Split ${testId}`
  const task = await addTask(page, await addType(page, name), name, [
    ['SKU', 'Country'],
    ['1', 'DE'],
    ['2', 'FR'],
    ['3', 'DE'],
  ])
  await send(page, 'PUT', `/api/sync_tasks/${task.id}`, {
    split_by: 'Country',
    split_tab_name: 'Shop {value}',
  })
  await send(page, 'POST', `/api/sync_tasks/${task.id}/execute?wait=60`)
  await page.goto(`/sync_tasks/${task.id}`)
  await expect(page.getByText('2 tabs, 2 with changed cells', { exact: false }).first()).toBeVisible()
  await expect(page.getByText('each tab holds exactly its rows', { exact: false })).toBeVisible()
  const tabs = page.getByRole('table', { name: 'Tabs of this run' })
  await expect(tabs).toBeHidden()
  await page.getByText('Show the 2 tabs').focus()
  await page.keyboard.press('Enter')
  const rows = tabs.locator('tbody').getByRole('row')
  await expect(rows).toHaveText([/Shop DE.*DE.*2/, /Shop FR.*FR.*1/])

  const { runs } = Runs.parse(await send(page, 'GET', `/api/sync_tasks/${task.id}/runs`))
  await page.goto(`/runs?run=${runs[0]?.id}`)
  const report = page.getByRole('dialog')
  await expect(
    report.getByText('All tabs in one step where they fit one request, else one after the other'),
  ).toBeVisible()
  await expect(report.getByRole('table', { name: 'Tabs of this run' }).getByRole('row')).toHaveCount(3)
  await expect(report.getByRole('link', { name: planMessages.what_changed })).toBeVisible()
  await report.getByRole('region', { name: 'Tabs of this run' }).focus()
  await expect(report.getByRole('region', { name: 'Tabs of this run' })).toBeFocused()
})

test('a preview of a split task shows all tabs, is written as it is, and is undone in all of them', async ({
  page,
}, { testId }) => {
  await signIn(page)
  const name = `Split plan ${testId}`
  const task = await addTask(page, await addType(page, name), name, [
    ['SKU', 'Country', 'Stock'],
    ['1', 'DE', 5],
    ['2', 'FR', 3],
    ['3', 'DE', 8],
  ])
  await send(page, 'PUT', `/api/sync_tasks/${task.id}`, { split_by: 'Country', on_missing: 'clear' })
  await send(page, 'POST', `/api/sync_tasks/${task.id}/execute?wait=60`)
  await writeCells(task.source_ss_id, 'Data!A2', [
    ['1', 'DE', 50],
    ['4', 'IT', 1],
    ['3', 'DE', 8],
  ])
  await page.goto(`/sync_tasks/${task.id}`)
  await page.getByRole('button', { name: 'Preview', exact: true }).click()
  const summary = page.getByRole('region', { name: 'Summary' })
  await expect(summary.getByRole('listitem').first()).toHaveText(lines.tabs_cleared(1, 'FR'))
  await expect(summary).toContainText(lines.tabs_created(1, 'IT'))
  const tabs = page.getByRole('table', { name: planMessages.tabs })
  await expect(tabs.locator('tbody').getByRole('row')).toHaveText([/DE.*Changed/, /IT.*New/, /FR.*Emptied/])
  await expect(tabs.getByRole('link', { name: 'DE' })).toHaveAttribute('href', /#gid=\d+$/)
  await expect(tabs.getByRole('link', { name: 'IT' })).toHaveCount(0)

  const rows = page.getByRole('region', { name: planMessages.cells }).locator('tbody').getByRole('row')
  await expect(rows).toHaveText([/DE.*Changed/, /IT.*Added/, /FR.*Removed/])
  await page.getByRole('combobox', { name: planMessages.tab_filter }).selectOption('FR')
  await expect(rows).toHaveText([/FR.*Removed/])
  await expect(page).toHaveURL(/tab=FR/)
  await page.getByRole('combobox', { name: planMessages.tab_filter }).selectOption('')
  await expect(rows.first().getByRole('link', { name: planMessages.open_cell('C2') })).toHaveAttribute(
    'href',
    /#gid=\d+&range=C2$/,
  )

  await page.getByRole('button', { name: planMessages.apply }).click()
  await expect(page).toHaveURL(new RegExp(`/sync_tasks/${task.id}$`))
  await expect.poll(() => readSheet(task.target_ss_id, 'IT').catch(() => [])).toHaveLength(2)
  await expect(page.getByText('3 tabs, 3 with changed cells', { exact: false }).first()).toBeVisible()
  expect(await readSheet(task.target_ss_id, 'FR')).toHaveLength(1)
  await page.getByRole('button', { name: versionMessages.undo, exact: true }).click()
  await expect(summary.getByRole('listitem').first()).toHaveText(lines.tabs_emptied(1, 'IT'))
  await page.getByRole('button', { name: planMessages.apply }).click()
  await expect.poll(() => readSheet(task.target_ss_id, 'FR')).toHaveLength(2)
  expect(await readSheet(task.target_ss_id, 'IT')).toEqual([])
})
