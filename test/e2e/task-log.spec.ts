import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Database } from '../../src/server/platform/schema.ts'
import { aRun, aSyncTask } from '../fixtures/factories.ts'
import { expect, test } from './app-test.ts'
import { signIn } from './as-ada.ts'

test.beforeEach(async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await signIn(page)
})

const write = (db: Kysely<Database>, task_id: number, run_id: number, lines: number, text = 'Batch') =>
  sql`insert into log_entries (task_id, run_id, level, message)
    select ${task_id}, ${run_id}, case when n % 500 = 0 then 'WARNING' else 'INFO' end, ${`${text} `} || n || ' of the copy'
    from generate_series(1, ${lines}::int) n`.execute(db)

test('a log of 2,000 lines is separated by run, searched with Enter and Shift+Enter, filtered by level, and copied', async ({
  page,
  db,
}) => {
  const task = await aSyncTask(db, { name: 'Long log' })
  const [first, second] = [
    await aRun(db, task.id, { state: 'failed', finished_at: new Date(), error: 'Broken' }),
    await aRun(db, task.id, { state: 'success', finished_at: new Date() }),
  ]
  await write(db, task.id, first.id, 1900)
  await write(db, task.id, second.id, 100)
  await page.goto(`/sync_tasks/${task.id}/logs`)
  await expect(page.getByText('2,000 lines')).toBeVisible()
  const table = page.getByRole('table', { name: 'Log' })

  await test.step('the heading of a run has its outcome and leads to its receipt', async () => {
    const heading = table.getByRole('rowheader', { name: `Run ${second.id}` })
    await expect(heading).toContainText('Success')
    await expect(heading).toContainText('ada@example.com')
    await expect(heading.getByRole('link', { name: `Receipt of run ${second.id}` })).toHaveAttribute(
      'href',
      `/runs?run=${second.id}`,
    )
  })

  await test.step('the search finds lines beyond the loaded ones', async () => {
    const search = page.getByRole('searchbox', { name: 'Search the log' })
    await search.fill('BATCH 3 of')
    await expect(page.getByText('2 of 2,000 lines')).toBeVisible()
    await expect(table.locator('mark')).toHaveText(['Batch 3 of', 'Batch 3 of'])
    await expect(table.getByRole('rowheader')).toHaveCount(2)
    const at = page.getByRole('status').filter({ hasText: /found|of 2$/ })
    await expect(at).toHaveText('2 found')
    const current = table.locator('[data-current]')
    const places: string[] = []
    for (const key of ['Enter', 'Enter', 'Enter', 'Shift+Enter']) {
      await search.press(key)
      await expect(current).toHaveCount(1)
      places.push((await at.textContent()) ?? '')
    }
    expect(places).toEqual(['1 of 2', '2 of 2', '1 of 2', '2 of 2'])
    await expect(page).toHaveURL(/\?q=BATCH\+3\+of$/)
    await search.fill('')
  })

  await test.step('a level is filtered in the whole log', async () => {
    await page.getByRole('combobox', { name: 'Level' }).selectOption({ label: 'WARNING (3)' })
    await expect(table.getByRole('row')).toHaveCount(1 + 1 + 3)
    await expect(page.getByText('3 of 2,000 lines')).toBeVisible()
    await page.reload()
    await expect(table.getByRole('row')).toHaveCount(1 + 1 + 3)
  })

  await test.step('the visible lines are copied as text, and one line', async () => {
    await page.getByRole('button', { name: 'Copy Logs' }).click()
    await expect(page.getByText('Logs copied to clipboard')).toBeVisible()
    const copied = () => page.evaluate(() => navigator.clipboard.readText())
    expect((await copied()).split('\n').map((line) => line.replace(/^.* EST WARNING /, ''))).toEqual([
      expect.stringMatching(
        new RegExp(`^--- Run ${first.id}, .*, ada@example.com, by hand, Failed ---$|^--- Run ${first.id}, `),
      ),
      'Batch 1500 of the copy',
      'Batch 1000 of the copy',
      'Batch 500 of the copy',
    ])
    const row = table.getByRole('row', { name: /Batch 1000/ })
    await row.hover()
    await row.getByRole('button', { name: 'Copy line' }).click()
    await expect(page.getByText('Line copied to clipboard')).toBeVisible()
    expect(await copied()).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d EST WARNING Batch 1000 of the copy$/)
  })

  await test.step('the copy buttons are one Tab stop with arrow keys', async () => {
    await expect(table.locator('button[tabindex="0"]')).toHaveCount(1)
    await table.locator('button[tabindex="0"]').focus()
    await page.keyboard.press('ArrowDown')
    await expect(page.locator(':focus')).toHaveAccessibleName('Copy line')
    await expect(table.locator('button[tabindex="0"]')).toHaveCount(1)
  })

  await test.step('older lines are loaded at the end', async () => {
    await page.getByRole('combobox', { name: 'Level' }).selectOption('')
    await expect
      .poll(async () => {
        await page.mouse.wheel(0, 20_000)
        return table.getByText('Batch 1 of the copy', { exact: true }).count()
      })
      .toBe(1)
  })
})

test('live lines arrive at the top, and do not move what is being read below it', async ({ page, db }) => {
  const task = await aSyncTask(db, { name: 'Live log' })
  const run = await aRun(db, task.id, { state: 'success', finished_at: new Date() })
  await write(db, task.id, run.id, 300)
  await page.goto(`/sync_tasks/${task.id}/logs`)
  const table = page.getByRole('table', { name: 'Log' })
  await expect(table.getByText('Batch 300 of the copy')).toBeVisible()
  await write(db, task.id, run.id, 1, 'Live')
  await expect(table.getByText('Live 1 of the copy')).toBeVisible()
  await expect(page.getByText('301 lines')).toBeVisible()

  await page.mouse.move(600, 600)
  await page.mouse.wheel(0, 3000)
  const read = table.getByText('Batch 225 of the copy')
  await expect(read).toBeInViewport()
  const place = await read.boundingBox()
  await write(db, task.id, run.id, 2, 'Later')
  const waiting = page.getByRole('button', { name: '2 new lines' })
  await expect(waiting).toBeVisible()
  expect(await read.boundingBox()).toEqual(place)
  await waiting.click()
  await expect(table.getByText('Later 2 of the copy')).toBeInViewport()
  await expect(waiting).toHaveCount(0)
})
