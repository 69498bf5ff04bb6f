import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { copyWorld } from '../../../../../test/fixtures/copy-world.ts'
import { installationId } from '../../../connectors/google-sheets/staging/installation.ts'
import { prune } from '../../../engine/prune.ts'

const world = copyWorld({ proxied: true })
afterEach(() => world.proxy.reset())

const table = (mark: string) => Array.from({ length: 30 }, (_, row) => [`${mark} ${row}`, row])
const creation = { path: /:batchUpdate/, body: /^\{"requests":\[\{"addSheet"/ }

const pair = () => world.pair(table('new'), table('old'))

const records = (spreadsheetId: string) =>
  world.db.selectFrom('staging_tabs').selectAll().where('spreadsheet_id', '=', spreadsheetId).execute()

const looks = async () =>
  (await world.ledger()).filter(({ user_agent }) => user_agent.includes('(sweep)')).length

/** Moves the end of a run and the records of its staging tabs into the past. */
async function ago(run_id: number, minutes: number): Promise<void> {
  const then = sql<Date>`now() - make_interval(mins => ${minutes})`
  await world.db.updateTable('runs').set({ finished_at: then }).where('id', '=', run_id).execute()
  await world.db.updateTable('staging_tabs').set({ created_at: then }).where('run_id', '=', run_id).execute()
}

test('a staging tab whose creation is in flight when its run is stopped is removed once it exists', async () => {
  const { target, task } = await pair()
  const late = world.proxy.hold(creation)
  await world.start(task)
  await late.arrived
  await world.stop(task)
  const { id, state } = await world.ended(task)
  expect(state).toBe('stopped')
  expect(await records(target)).toMatchObject([{ run_id: id, seen: false }])
  await late.deliver()
  expect(await world.tabs(target)).toHaveLength(2)
  await ago(id, 2)
  await world.cleanUp()
  expect(await world.tabs(target)).toEqual(['Shop'])
  expect(await records(target)).toEqual([])
})

test('one whose creation is in flight when its worker releases the run is removed by the next run', async () => {
  const { source, target, task } = await pair()
  const late = world.proxy.hold(creation)
  await world.start(task)
  await late.arrived
  await world.changeEngine()
  expect(await world.ended(task)).toMatchObject({ state: 'success' })
  expect(await records(target)).toHaveLength(1)
  await late.deliver()
  await world.write(source, 'Products!A2', [['changed']])
  const next = await world.run(task)
  expect(next.log).toContain('INFO Removing 1 staging tab that an interrupted run left behind.')
  expect(await world.tabs(target)).toEqual(['Shop'])
  expect(await records(target)).toEqual([])
})

test('the staging tab of an active run is deleted neither by a run into another tab of the spreadsheet nor by the clean-up', async () => {
  const { target, task } = await pair()
  const commit = world.proxy.hold({ path: /:batchUpdate/, body: /"deleteSheet"/ })
  await world.start(task)
  await commit.arrived
  const [, live] = await world.tabs(target)

  const source = await world.spreadsheet({ Products: table('other') })
  const into = { target_ss_id: target, target_sheet_name: 'Second shop' }
  const other = await world.run(await world.task({ source_ss_id: source, ...into }))
  expect(other.state).toBe('success')
  expect(await world.tabs(target)).toEqual(['Shop', live, 'Second shop'])

  // A recorded tab of the finished run makes the cleanup open the spreadsheet.
  await world.db
    .insertInto('staging_tabs')
    .values({ run_id: other.id, spreadsheet_id: target, sheet_id: 4714 })
    .execute()
  await ago(other.id, 120)
  const before = await looks()
  await world.cleanUp()
  expect(await looks()).toBeGreaterThan(before)
  expect(await world.tabs(target)).toEqual(['Shop', live, 'Second shop'])

  expect((await commit.deliver()).status).toBe(200)
  expect(await world.ended(task)).toMatchObject({ state: 'success' })
  expect(await world.tabs(target)).toEqual(['Shop', 'Second shop'])
  expect(await world.values(target, 'Shop')).toEqual(table('new'))
})

test('one that never appears is searched for an hour, with growing pauses', async () => {
  const { target, task } = await pair()
  const { id } = await world.run(task)
  await world.db
    .insertInto('staging_tabs')
    .values({ run_id: id, spreadsheet_id: target, sheet_id: 4712 })
    .execute()
  const before = await looks()
  // The run has only just ended.
  await world.cleanUp()
  expect(await looks()).toBe(before)
  let made = 0
  for (let minute = 1; minute <= 70; minute += 1) {
    await ago(id, minute)
    // Advance the next check by a minute as well.
    await world.db
      .updateTable('staging_tabs')
      .set({ next_look_at: sql<Date>`next_look_at - interval '1 minute'` })
      .execute()
    await world.cleanUp()
    made = (await looks()) - before
    if (minute < 60) expect(await records(target)).toHaveLength(1)
  }
  expect(await records(target)).toEqual([])
  expect(made).toBeGreaterThan(5)
  expect(made).toBeLessThan(9)
})

test('a staging tab that could not be removed for longer than history is kept is removed, and then its run is pruned', async () => {
  const { target, task } = await pair()
  const { id } = await world.run(task)
  await world.run(task)
  const properties = { sheetId: 4715, title: 'Left by a run', hidden: true }
  await world.batch(target, { addSheet: { properties } })
  const left = { run_id: id, spreadsheet_id: target, sheet_id: 4715, seen: true }
  await world.db.insertInto('staging_tabs').values(left).execute()
  const runs = () => world.db.selectFrom('runs').select('id').where('id', '=', id).execute()
  await ago(id, 100 * 24 * 60)
  await prune(world.db, 90)
  await world.cleanUp()
  expect(await world.tabs(target)).toEqual(['Shop'])
  expect(await records(target)).toEqual([])
  expect(await runs()).toEqual([{ id }])
  await prune(world.db, 90)
  expect(await runs()).toEqual([])
})

test('after that hour no tab of a deleted spreadsheet is searched', async () => {
  const { task } = await pair()
  const { id } = await world.run(task)
  await world.db
    .insertInto('staging_tabs')
    .values({ run_id: id, spreadsheet_id: 'gone', sheet_id: 1 })
    .execute()
  await ago(id, 2)
  await world.cleanUp()
  expect(await records('gone')).toHaveLength(1)
  await ago(id, 61)
  await world.db.updateTable('staging_tabs').set({ next_look_at: null }).execute()
  await world.cleanUp()
  expect(await records('gone')).toEqual([])
})

test('tabs are also found by their titles: only those of this installation whose run ended an hour ago', async () => {
  const { target, task } = await pair()
  const { id } = await world.run(task)
  const recent = await world.run(task)
  const installation = await installationId(world.db)
  const tab = (sheetId: number, title: string, hidden = true) => ({
    addSheet: { properties: { sheetId, title, hidden } },
  })
  const mine = (run: number, sheetId: number) => `Rowferry ${installation} run ${run} (temporary ${sheetId})`
  const kept = [
    tab(2, mine(recent.id, 2)),
    tab(3, `Rowferry 0123456789ab run ${id} (temporary 3)`),
    tab(4, mine(id, 5)),
    tab(6, mine(id, 6), false),
    tab(7, mine(1_000_000, 7)),
    tab(8, `Copy of ${mine(id, 8)}`),
  ]
  await world.batch(target, tab(1, mine(id, 1)), ...kept)
  await world.db
    .insertInto('staging_tabs')
    .values({ run_id: id, spreadsheet_id: target, sheet_id: 4713 })
    .execute()
  await ago(id, 120)
  await world.cleanUp()
  const titles = kept.map(({ addSheet }) => addSheet.properties.title)
  expect(await world.tabs(target)).toEqual(['Shop', ...titles])
  // A run that lists the tabs does the same.
  await world.batch(target, tab(9, mine(id, 9)))
  const left = { run_id: id, spreadsheet_id: target, sheet_id: 4714 }
  await world.db.insertInto('staging_tabs').values(left).execute()
  await world.run(task)
  expect(await world.tabs(target)).toEqual(['Shop', ...titles])
})
