import { addTask, addType } from './add-task.ts'
import { expect, test } from './app-test.ts'
import { send, signIn } from './as-ada.ts'
import { makeSpreadsheet, readSheet, slowGoogle, writeCells } from './google-sheets.ts'

const small = [
  ['SKU', 'Price'],
  ['007', 1.5],
]

test.beforeEach(async ({ page }) => signIn(page))
test.afterEach(() => slowGoogle(0))

test('a task is run, stopped, edited and deactivated in the header of its page', async ({ page }, {
  testId,
}) => {
  const name = `Worked ${testId}`
  const task = await addTask(page, await addType(page, name), name, small)
  await page.goto(`/sync_tasks/${task.id}`)
  const state = page.getByRole('region', { name: 'State' })
  const [run, stop, edit] = ['Run', 'Stop Task', 'Edit'].map((label) =>
    page.getByRole('button', { name: label, exact: true }),
  )
  if (!run || !stop || !edit) throw new TypeError('three buttons')
  await expect(stop).toBeDisabled()
  await slowGoogle(2000)
  await run.click()
  await expect(state).toContainText('In Progress')
  await expect(run).toBeDisabled()
  await expect(edit).toBeDisabled()
  await stop.click()
  await expect(state).toContainText('Stopped')
  await slowGoogle(0)

  await edit.click()
  const dialog = page.getByRole('dialog', { name: 'Edit Sync Task' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill(`${name} anew`)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`${name} anew Data`)

  const active = page.getByRole('switch', { name: 'Active' })
  await active.click()
  await expect(page.getByText(`${name} anew is inactive`)).toBeVisible()
  await run.click()
  await expect(page.getByText(`${name} anew is inactive`).last()).toBeVisible()
})

test('unowned cells are shown and replaced after a confirmation, unless others appeared meanwhile or the call fails', async ({
  page,
}, { testId }) => {
  const name = `Theirs ${testId}`
  const task = await addTask(page, await addType(page, name, { max_retries: 0 }), name, small)
  await page.goto(`/sync_tasks/${task.id}`)
  const state = page.getByRole('region', { name: 'State' })
  const run = page.getByRole('button', { name: 'Run', exact: true })
  await run.click()
  await expect(state).toContainText('Success')
  await writeCells(task.target_ss_id, 'Data!C1', [['Remark'], ['of Ben']])
  const source_ss_id = await makeSpreadsheet(`${name} wider source`, [
    ['SKU', 'Price', 'Stock'],
    ['007', 1.5, 7],
  ])
  await send(page, 'PUT', `/api/sync_tasks/${task.id}`, { source_ss_id })
  await run.click()
  const notice = page.getByRole('region', { name: 'The target has cells that this task does not own' })
  await expect(notice).toContainText('would have overwritten 2 cells in column C,')
  await expect(state).toContainText('Failed')

  const replace = page.getByRole('button', { name: 'Replace them' })
  await replace.click()
  const dialog = page.getByRole('dialog', { name: 'Replace cells that this task does not own?' })
  await expect(dialog).toContainText(`One run overwrites these 2 cells in ${name} target / Data.`)
  await page.route('**/replace_cells', (route) => route.fulfill({ status: 502, body: '' }))
  await dialog.getByRole('button', { name: 'Replace them' }).click()
  await expect(page.getByText('Failed to replace the cells')).toBeVisible()
  await expect(dialog).toHaveCount(0)
  await page.unroute('**/replace_cells')

  await writeCells(task.target_ss_id, 'Data!C3', [['of Cleo']])
  await replace.click()
  await dialog.getByRole('button', { name: 'Replace them' }).click()
  await expect(notice).toContainText('would have overwritten 3 cells')
  await replace.click()
  await dialog.getByRole('button', { name: 'Replace them' }).click()
  await expect(state).toContainText('Success')
  await expect(notice).toHaveCount(0)
  expect(await readSheet(task.target_ss_id, 'Data')).toEqual([
    ['SKU', 'Price', 'Stock'],
    ['007', 1.5, 7],
  ])
})

test('unowned cells are rejected by keyboard; the page says who, and they can still be replaced', async ({
  page,
}, { testId }) => {
  const name = `Rejected ${testId}`
  const wide = small.map((row) => [...row, '', ''])
  const task = await addTask(page, await addType(page, name, { max_retries: 0 }), name, wide)
  await page.goto(`/sync_tasks/${task.id}`)
  const state = page.getByRole('region', { name: 'State' })
  const run = page.getByRole('button', { name: 'Run', exact: true })
  const ended = page.getByRole('group', { name: 'Last runs by duration' }).getByRole('button')
  await run.click()
  await expect(state).toContainText('Success')
  await writeCells(task.target_ss_id, 'Data!C2', [['of Ben']])
  await writeCells(task.source_ss_id, 'Data!C1', [['Stock'], [7]])
  await run.click()
  const notice = page.getByRole('region', { name: 'The target has cells that this task does not own' })
  await notice.getByRole('button', { name: 'Reject' }).focus()
  await page.keyboard.press('Enter')
  await expect(notice).toContainText('Rejected by ada@example.com. The target stays as it is.')
  await expect(notice.getByRole('button')).toHaveText(['Replace them'])
  expect((await readSheet(task.target_ss_id, 'Data'))[1]?.[2]).toBe('of Ben')
  await run.click()
  await expect(ended).toHaveCount(3)
  await expect(state).toContainText('Failed')
  await expect(notice).toContainText('Rejected by ada@example.com')
  await notice.getByRole('button', { name: 'Replace them' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Replace them' }).click()
  await expect(state).toContainText('Success')
  await expect(notice).toHaveCount(0)
})

test('a chart shows the last runs by duration and outcome; hover and focus show the receipt of each', async ({
  page,
}, { testId }) => {
  // The chart and its tooltip fit without scrolling, which would move them from under the pointer.
  await page.setViewportSize({ width: 1440, height: 1600 })
  const name = `Pictured ${testId}`
  const task = await addTask(page, await addType(page, name, { max_retries: 0 }), name, small)
  await page.goto(`/sync_tasks/${task.id}`)
  const bars = page.getByRole('group', { name: 'Last runs by duration' }).getByRole('button')
  const details = page.getByRole('tooltip')
  await send(page, 'POST', `/api/sync_tasks/${task.id}/execute`)
  await expect(bars).toHaveCount(1)
  await expect(bars).toHaveAccessibleName(/ Success, /)
  await send(page, 'PUT', `/api/sync_tasks/${task.id}`, { source_sheet_name: 'Not there' })
  await send(page, 'POST', `/api/sync_tasks/${task.id}/execute`)
  await expect(bars.first()).toHaveAccessibleName(/ Failed, /)
  await expect(bars.first()).toHaveAttribute('data-tone', 'error')
  // The actions on the failure move the chart down.
  await expect(page.getByRole('button', { name: /^I am on it/ })).toBeVisible()

  await bars.last().hover()
  await expect(details).toContainText('Copied 1 row of 2 columns')
  await expect(details).toContainText('Read back afterwards, the target equals the source')
  // the tooltip stays open while the pointer is on it
  await details.hover()
  await expect(details).toBeVisible()
  await page.getByRole('heading', { level: 1 }).hover()
  await expect(details).toHaveCount(0)

  await page.getByRole('button', { name: 'Run', exact: true }).focus()
  await expect(async () => {
    await page.keyboard.press('Tab')
    await expect(bars.first()).toBeFocused({ timeout: 100 })
  }).toPass()
  await expect(details).toContainText('Not there')
  await page.keyboard.press('ArrowLeft')
  await expect(bars.last()).toBeFocused()
  await expect(bars.last()).toHaveAccessibleDescription(/Copied 1 row/)
  await page.keyboard.press('Escape')
  await expect(details).toHaveCount(0)
  await page.keyboard.press('End')
  await expect(bars.first()).toBeFocused()
})

test('readiness shows when it was checked; a failed check replaces the result, and an edit clears it', async ({
  page,
}, { testId }) => {
  const name = `Ready ${testId}`
  const task = await addTask(page, await addType(page, name), name, small)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/sync_tasks/${task.id}`)
  const verdict = page.getByRole('button', { name: new RegExp(`source of ${name}`) })
  await verdict.click()
  await expect(verdict).toContainText(/^Ready Google Sheet.*\w{3} \d+, \d\d:\d\d$/)
  await expect(verdict).toHaveAccessibleName(/^Ready Google Sheet \w{3} \d+, \d\d:\d\d, source of /)
  await page.route('**/check_readiness', (route) => route.abort())
  await verdict.click()
  await expect(verdict).toContainText('Check failed')
  await expect(verdict).not.toContainText('Ready')
  await page.unroute('**/check_readiness')
  await verdict.click()
  await expect(verdict).toContainText('Ready')
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(verdict).toHaveText('Check Google Sheet')
})
