import type { Locator, Page } from '@playwright/test'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../../src/server/platform/schema.ts'
import { addTask, addType } from './add-task.ts'
import { expect, test } from './app-test.ts'
import { signIn } from './as-ada.ts'

// At 36 pixels per row this exceeds the maximum height of an element.
const ROWS = 500_000

const tableOf = (page: Page) => page.getByRole('table', { name: 'Copied data' })

/** Stores `rows` copied rows for a task: a descending number, a text, a date, a price. */
async function fill(db: Kysely<Database>, task: number, rows: number): Promise<void> {
  const formats = [
    null,
    null,
    { type: 'DATE', pattern: 'yyyy-mm-dd' },
    { type: 'CURRENCY', pattern: '[$€]#,##0.00' },
  ]
  await sql`
    with copy as (
      insert into snapshots (task_id, kind, columns, formats, row_count, completed_at)
      values (${task}, 'copy', '["Number", "Name", "Since", "Price"]', ${JSON.stringify(formats)}, ${rows}, now())
      returning id
    ), pointed as (
      update tasks set snapshot_id = copy.id from copy where tasks.id = ${task}
    )
    insert into snapshot_rows (snapshot_id, row_no, cells)
    select copy.id, n, jsonb_build_array(${rows} - n, 'Row ' || n, 43830 + n % 1000, n + 0.5)
    from copy, generate_series(1, ${rows}::int) n`.execute(db)
}

async function copyOf(page: Page, db: Kysely<Database>, name: string, rows: number): Promise<string> {
  const type = await addType(page, name)
  const task = await addTask(page, type, name, [['SKU'], ['007']])
  await fill(db, task.id, rows)
  return `/sync_tasks/${task.id}/data_copy`
}

/** Offsets of the requested pages. */
function pagesOf(page: Page): number[] {
  const offsets: number[] = []
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.pathname.endsWith('/data_copy') && url.searchParams.has('limit'))
      offsets.push(Number(url.searchParams.get('offset')))
  })
  return offsets
}

const scrollTo = (table: Locator, top: number) =>
  table.evaluate((element, to) => element.scrollTo(0, to), top)

test('copied data: 500 rows a page, more when scrolled within 100 px of the bottom, none after a shorter page', async ({
  page,
  db,
}, { testId }) => {
  await signIn(page)
  const address = await copyOf(page, db, `Pages ${testId}`, 1_200)
  const pages = pagesOf(page)
  await page.goto(address)
  const table = tableOf(page)
  await expect(table.getByRole('cell', { name: 'Row 1', exact: true })).toBeVisible()
  const window_height = await table.evaluate((element) => element.clientHeight - 38)
  await scrollTo(table, 500 * 36 - window_height - 110)
  await expect(table.getByRole('cell', { name: 'Row 490', exact: true })).toBeVisible()
  expect(pages).toEqual([0])
  await scrollTo(table, 500 * 36 - window_height - 90)
  await expect.poll(() => pages).toEqual([0, 500])
  await scrollTo(table, 501 * 36)
  await expect(table.getByRole('cell', { name: 'Row 505', exact: true })).toBeVisible()
  await table.press('End')
  await expect(table.getByRole('cell', { name: 'Row 1200', exact: true })).toBeVisible()
  await expect.poll(() => pages).toEqual([0, 500, 1000])
  await expect(page.getByRole('status').filter({ hasText: 'Loading more rows' })).toHaveCount(0)

  await test.step('numbers are shown in the format of the sheet, with the raw value in the tooltip', async () => {
    await table.press('Home')
    const first = table.getByRole('row', { name: /Row 1 / })
    await expect(first.getByRole('cell')).toHaveText(['1199', 'Row 1', '2020-01-01', '€1.50'])
    await expect(first.getByRole('cell', { name: '2020-01-01' })).toHaveAttribute('title', '43831')
  })
})

test('if a run ends while a user scrolls, the list continues in its version, and shows the new rows once the old ones were deleted', async ({
  page,
  db,
}, { testId }) => {
  await signIn(page)
  const address = await copyOf(page, db, `Replaced ${testId}`, 1_500)
  const id = Number(address.split('/')[2])
  const old = await db
    .selectFrom('tasks')
    .select('snapshot_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  await page.goto(address)
  const table = tableOf(page)
  await expect(table.getByRole('cell', { name: 'Row 1', exact: true })).toBeVisible()
  const numberOf = (row: number) =>
    table
      .getByRole('row', { name: `Row ${row} ` })
      .getByRole('cell')
      .first()
  await fill(db, id, 1_200)

  await scrollTo(table, 600 * 36)
  await expect(numberOf(605)).toHaveText('895')
  await test.step('the old rows were not read for ten minutes', () =>
    db.deleteFrom('snapshots').where('id', '=', old.snapshot_id).execute())
  await scrollTo(table, 1_100 * 36)
  await expect(page.getByText('Later runs have replaced these rows.')).toBeVisible()
  await expect(page.getByText('1,200 rows, 4 columns')).toBeVisible()
  await expect(numberOf(1)).toHaveText('1199')
})

test('half a million copied rows: both ends are reached, sorting shows a notice, and few pages stay in memory', async ({
  page,
  db,
}, { testId }) => {
  await signIn(page)
  const address = await copyOf(page, db, `Large ${testId}`, ROWS)
  await page.goto(address)
  const table = tableOf(page)
  await expect(table.getByRole('cell', { name: 'Row 1', exact: true })).toBeVisible()

  await test.step('the End key leads to the last row, and page by page back up', async () => {
    await table.press('End')
    const last = table.getByRole('row', { name: /Row 500000 / })
    await expect(last).toBeInViewport()
    await expect(last).toHaveAttribute('aria-rowindex', String(ROWS + 1))
    expect(await table.getByRole('row').count()).toBeLessThan(80)
    await table.press('PageUp')
    await expect(last).not.toBeInViewport()
    await expect(table.getByRole('cell', { name: 'Row 499975', exact: true })).toBeInViewport()
  })

  await test.step('a dragged scroll bar stops where it is released', async () => {
    const middle = await table.evaluate((element) => (element.scrollHeight - element.clientHeight) / 2)
    for (const part of [0.3, 0.6, 0.9, 1]) await scrollTo(table, middle * part)
    // rows above and below the viewport are rendered as well
    const inside = table.getByRole('row').nth(22)
    await expect(inside).toContainText(/Row 2[45]\d{4}/)
    await expect(inside).toBeInViewport()
    await table.press('PageDown')
    await expect(inside).toContainText(/Row 2[45]\d{4}/)
  })

  await test.step('another sort order starts at the top, and the page shows that it is being created', async () => {
    const held = Promise.withResolvers<void>()
    await page.route(/sort=Number/, async (route) => {
      await held.promise
      await route.continue()
    })
    await table.getByRole('button', { name: 'Number', exact: true }).click()
    await expect(
      page.getByText('Sorting 500,000 rows by “Number”. The first time this takes a few seconds.'),
    ).toBeVisible()
    held.resolve()
    const first = table.getByRole('row').nth(1)
    await expect(first.getByRole('cell').first()).toHaveText('0')
    await expect(first).toBeInViewport()
    await page.unrouteAll({ behavior: 'wait' })
  })
})

test('copied data is searched in all rows, kept in the address, and exported as CSV', async ({ page, db }, {
  testId,
}) => {
  await signIn(page)
  const address = await copyOf(page, db, `Search ${testId}`, 1_200)
  await page.goto(address)
  const table = tableOf(page)
  await page.getByRole('searchbox', { name: 'Search the data' }).fill('ROW 119')
  await expect(page.getByText('11 of 1,200 rows')).toBeVisible()
  await expect(table).toHaveAttribute('aria-rowcount', '12')
  await expect(table.locator('mark')).toHaveCount(11)
  await page.reload()
  await expect(table.getByRole('cell', { name: 'Row 1199', exact: true })).toBeVisible()
  await expect(page).toHaveURL(/q=ROW\+119/)
  await page.getByRole('searchbox', { name: 'Search the data' }).fill('nowhere')
  await expect(page.getByRole('heading', { name: 'No row matches.' })).toBeVisible()

  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export Data' }).click()
  expect((await saved).suggestedFilename()).toMatch(/^sync_task_\d+_data_copy\.csv$/)
})
