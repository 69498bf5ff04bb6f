import { z } from 'zod'
import { planMessages } from '../../src/contract/plans/client-messages.ts'
import { addTask, addType } from './add-task.ts'
import { expect, test } from './app-test.ts'
import { send, signIn } from './as-ada.ts'

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
  await expect(report.getByText('One tab after the other, each in one step')).toBeVisible()
  await expect(report.getByRole('table', { name: 'Tabs of this run' }).getByRole('row')).toHaveCount(3)
  await expect(report.getByRole('link', { name: planMessages.what_changed })).toBeHidden()
  await report.getByRole('region', { name: 'Tabs of this run' }).focus()
  await expect(report.getByRole('region', { name: 'Tabs of this run' })).toBeFocused()
})
