import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { addTasks } from '../../bench/web-tasks.ts'
import type { Database } from '../../src/server/platform/schema.ts'
import { removeTasks } from '../fixtures/compiling.ts'
import { aConfig, aRun, aSourceTask } from '../fixtures/factories.ts'
import { addTask, addType } from './add-task.ts'
import { expect, test } from './app-test.ts'
import { signIn } from './as-ada.ts'

const FAILING = 9
const NO_ACCESS =
  'ops@example.com may read but not edit ‘Target Warehouse’: ask its owner for edit access, or choose another account.'
const NO_TAB = '‘Price list Italy’ does not have a tab called ‘March’.'

/** 400 sync tasks, 120 source tasks and 5 configurations whose last runs succeeded. */
async function seed(db: Kysely<Database>): Promise<void> {
  await addTasks(db, 1, 400)
  const ended = { state: 'success' as const, started_at: new Date(), finished_at: new Date() }
  for (let n = 1; n <= 120; n += 1) {
    const { id } = await aSourceTask(db, { name: `Supplier ${n}` })
    await aRun(db, id, { category: 'source', ...ended })
  }
  for (let n = 1; n <= 5; n += 1) {
    const { task_id } = await aConfig(db, { name: `Catalogue ${n}` })
    await aRun(db, task_id, { category: 'compiler', ...ended })
  }
}

/** The night's failures; what caused them has been repaired, so that another run succeeds. */
const fail = (db: Kysely<Database>, ids: readonly number[]) =>
  sql`
    with run as (
      insert into runs (task_id, category, task_name, state, trigger, trigger_label, definition, started_at, finished_at, error)
      select t.id, 'sync', t.name, 'failed', 'schedule', '04:00', '{}', now() - interval '3 hours',
        now() - interval '3 hours', case when t.id = ${ids[0]} then ${NO_TAB} else ${NO_ACCESS} end
      from tasks t where t.id = any (${[...ids]}::int[]) returning id, task_id
    )
    update tasks set last_run_id = run.id from run where run.task_id = tasks.id`.execute(db)

// It looks at the whole pipeline, where earlier tests may have left tasks.
test.afterEach(({ db }) => removeTasks(db))

test('on a Monday everything that failed is found, told, run again and verified from Home in five clicks', async ({
  page,
  db,
}) => {
  test.slow()
  await signIn(page)
  await seed(db)
  const type = await addType(page, 'Warehouses')
  const ids: number[] = []
  for (let n = 1; n <= FAILING; n += 1)
    ids.push(
      (
        await addTask(page, type, `Warehouse ${n}`, [
          ['SKU', 'Stock'],
          [`00${n}`, n],
        ])
      ).id,
    )
  await fail(db, ids)

  const answers: { question: string; clicks: number; most: number; seconds: number }[] = []
  const answer = async (
    question: string,
    most: number,
    find: (click: (name: string | RegExp) => Promise<void>) => Promise<void>,
  ) => {
    let clicks = 0
    const began = performance.now()
    await find(async (name) => {
      clicks += 1
      await page
        .getByRole('main')
        .getByRole('button', { name })
        .or(page.getByRole('main').getByRole('link', { name, exact: true }))
        .first()
        .click()
    })
    answers.push({ question, clicks, most, seconds: Math.round((performance.now() - began) / 100) / 10 })
  }

  const attention = page.getByRole('region', { name: 'Needs attention' })
  await answer('What failed?', 0, async () => {
    await page.goto('/')
    await expect(page.getByRole('heading', { name: '9 tasks have failed' })).toBeVisible()
    await expect(attention).toContainText('8 ×')
    await expect(attention).toContainText(NO_TAB)
  })
  await answer('Which file is it?', 0, async () => {
    await expect(attention).toContainText('may read but not edit ‘Target Warehouse’')
  })
  await answer('Which tasks are all these?', 1, async (click) => {
    await click('All 8 tasks')
    for (let n = 2; n <= FAILING; n += 1)
      await expect(attention.getByRole('link', { name: `Warehouse ${n} Data`, exact: true })).toBeVisible()
  })
  await answer('How do I tell a colleague?', 1, async (click) => {
    await click(/^I am on it: 8 tasks/)
    await expect(attention.getByText(/Ada Fields is on it since/).first()).toBeVisible()
  })
  await answer('Run all nine again', 2, async (click) => {
    await click('Run all 9 failed again')
    await expect(page.getByText('Queued 9 tasks.')).toBeVisible()
  })
  await answer('Did it work?', 1, async (click) => {
    await expect(page.getByRole('heading', { name: 'Everything is all right' })).toBeVisible({
      timeout: 90_000,
    })
    await click('All runs')
    await expect(page.getByRole('link', { name: /Warehouse \d/ })).toHaveCount(2 * FAILING)
  })

  console.info(
    [
      'clicks  at most  seconds  question',
      ...answers.map(({ question, clicks, most, seconds }) =>
        [String(clicks).padStart(6), String(most).padStart(7), seconds.toFixed(1).padStart(7), question].join(
          '  ',
        ),
      ),
    ].join('\n'),
  )
  for (const { question, clicks, most } of answers) expect(clicks, question).toBeLessThanOrEqual(most)
  expect(answers.reduce((sum, { clicks }) => sum + clicks, 0)).toBeLessThanOrEqual(5)
})
