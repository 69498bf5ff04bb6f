import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { shortBackoff } from '../../../../../test/fixtures/copy-settings.ts'
import { copyWorld, until } from '../../../../../test/fixtures/copy-world.ts'

const world = copyWorld({ proxied: true, commit_bytes: 2_000, timeLimitMs: 3_000, backoff: shortBackoff })
beforeEach(() => world.faults())
afterEach(() => world.proxy.reset())

const COLUMNS = 5
const table = (mark: string, rows = 30) =>
  Array.from({ length: rows }, (_, row) =>
    Array.from({ length: COLUMNS }, (_, column) => `${mark} ${row}/${column}`),
  )
/** The table with few changed cells, which fit into a small commit. */
const changed = (rows: string[][], mark: string) =>
  rows.map((row, n) => (n === 3 ? [mark, ...row.slice(1)] : row))

const batchUpdate = /:batchUpdate/
const creation = { path: batchUpdate, body: /^\{"requests":\[\{"addSheet"/ }
const commit = { path: batchUpdate, body: /"deleteSheet"/ }
const shop = (target: string) => world.values(target, 'Shop')
const records = (spreadsheetId: string) =>
  world.db.selectFrom('staging_tabs').selectAll().where('spreadsheet_id', '=', spreadsheetId).execute()

/** Copies new source data, which no late request may change afterwards. */
async function copyNewer({ source, target, task }: { source: string; target: string; task: number }) {
  await world.write(source, 'Products!A1', table('newer'))
  expect(await world.run(task)).toMatchObject({ state: 'success' })
  expect(await shop(target)).toEqual(table('newer'))
}

describe('a commit that arrives after a newer run has succeeded changes nothing', () => {
  test('when the worker that took over had to stage rows where the first one had not', async () => {
    const sheets = await world.pair(changed(table('new'), 'x'), table('new'))
    const late = world.proxy.hold(commit)
    await world.start(sheets.task)
    expect(await late.arrived).toContain('updateCells')
    await world.write(sheets.target, 'Shop!A1', table('edited'))
    await world.changeEngine()
    expect(await world.ended(sheets.task)).toMatchObject({ state: 'success' })
    expect(await shop(sheets.target)).toEqual(changed(table('new'), 'x'))
    await copyNewer(sheets)
    expect((await late.deliver()).status).toBe(400)
    expect(await shop(sheets.target)).toEqual(table('newer'))
    expect(await world.tabs(sheets.target)).toEqual(['Shop'])
  })

  test('when the worker that took over had few cells to write where the first one had staged', async () => {
    const sheets = await world.pair(table('new'), table('old'))
    const late = world.proxy.hold(commit)
    await world.start(sheets.task)
    expect(await late.arrived).toContain('copyPaste')
    await world.write(sheets.target, 'Shop!A1', changed(table('new'), 'x'))
    await world.changeEngine()
    expect(await world.ended(sheets.task)).toMatchObject({ state: 'success' })
    await copyNewer(sheets)
    expect((await late.deliver()).status).toBe(400)
    expect(await shop(sheets.target)).toEqual(table('newer'))
    expect(await world.tabs(sheets.target)).toEqual(['Shop'])
  })

  test('when the worker that took over had no room left, and its run failed', async () => {
    const sheets = await world.pair(changed(table('new'), 'x'), table('new'))
    const late = world.proxy.hold(commit)
    await world.start(sheets.task)
    await late.arrived
    await world.write(sheets.target, 'Shop!A1', table('edited'))
    await world.fillUp(sheets.target, 100)
    await world.changeEngine()
    const run = await world.ended(sheets.task)
    expect(run).toMatchObject({ state: 'failed' })
    expect(run.message).toContain('Google allows 10,000,000.')
    expect((await late.deliver()).status).toBe(400)
    expect(await shop(sheets.target)).toEqual(table('edited'))
    expect(await world.tabs(sheets.target)).toEqual(['Shop', 'Filler'])
  })

  test('when its attempt failed and another one read the source again', async () => {
    const sheets = await world.pair(table('new'), table('old'))
    const late = world.proxy.hold(commit)
    await world.start(sheets.task)
    await late.arrived
    // Also block the attempt's recovery and cleanup requests, and the source reads of the next attempt.
    await world.faults(
      { kind: '503', match: { spreadsheet_id: sheets.target } },
      { kind: '503', match: { spreadsheet_id: sheets.source, kind: 'read' } },
    )
    late.breakOff()
    await until(async () =>
      (
        await world.db
          .selectFrom('log_entries')
          .select('message')
          .where('task_id', '=', sheets.task)
          .execute()
      ).some(({ message }) => message.startsWith('Attempt 1')),
    )
    await world.write(sheets.source, 'Products!A1', table('newer'))
    await world.faults()
    expect(await world.ended(sheets.task)).toMatchObject({ state: 'success' })
    expect((await late.deliver()).status).toBe(400)
    expect(await shop(sheets.target)).toEqual(table('newer'))
    expect(await world.tabs(sheets.target)).toEqual(['Shop'])
  })

  test('when the creation of its staging tab arrives late as well', async () => {
    const sheets = await world.pair(table('new'), table('old'))
    const created = world.proxy.hold(creation)
    const late = world.proxy.hold(commit)
    await world.start(sheets.task)
    await created.arrived
    created.breakOff()
    await late.arrived
    late.breakOff()
    expect(await world.ended(sheets.task)).toMatchObject({ state: 'success' })
    await copyNewer(sheets)
    await created.deliver()
    expect((await late.deliver()).status).toBe(400)
    expect(await shop(sheets.target)).toEqual(table('newer'))
  })

  test('when it is delivered twice', async () => {
    const sheets = await world.pair(table('new'), table('old'))
    const twice = world.proxy.hold(commit)
    await world.start(sheets.task)
    expect((await twice.deliver()).status).toBe(200)
    expect(await world.ended(sheets.task)).toMatchObject({ state: 'success' })
    await copyNewer(sheets)
    expect((await twice.deliver()).status).toBe(400)
    expect(await shop(sheets.target)).toEqual(table('newer'))
  })
})

describe('the id of a staging tab', () => {
  const idIn = (body: string) => /"sheetId":(\d+)/.exec(body)?.[1]

  test('is sent for creation once: a creation without a response is followed by another id', async () => {
    const sheets = await world.pair(table('new'), table('old'))
    const first = world.proxy.hold(creation)
    const second = world.proxy.hold(creation)
    await world.start(sheets.task)
    const dead = idIn(await first.arrived)
    first.breakOff()
    expect(idIn(await second.arrived)).not.toBe(dead)
    await second.deliver()
    expect(await world.ended(sheets.task)).toMatchObject({ state: 'success' })
  })

  test('is not used if the worker that sent it was killed before the response', async () => {
    const sheets = await world.pair(table('new'), table('old'))
    const first = world.proxy.hold(creation)
    await world.start(sheets.task)
    const dead = idIn(await first.arrived)
    const second = world.proxy.hold(creation)
    await world.changeEngine()
    expect(idIn(await second.arrived)).not.toBe(dead)
    // The late request arrives while the run is still active.
    await first.deliver()
    await second.deliver()
    expect(await world.ended(sheets.task)).toMatchObject({ state: 'success' })
    expect(await shop(sheets.target)).toEqual(table('new'))
    expect(await world.tabs(sheets.target)).toEqual(['Shop'])
    expect(await records(sheets.target)).toEqual([])
  })
})

describe('a request that Google confirms without having applied it is detected by reading back:', () => {
  test.each([
    ['the creation of the staging tab', creation],
    ['the staging of rows', { path: /values:batchUpdate/ }],
    ['the commit', commit],
  ])('%s', async (_, match) => {
    const { target, task } = await world.pair(table('new'), table('old'))
    const swallowed = world.proxy.hold(match)
    await world.start(task)
    await swallowed.arrived
    swallowed.pretend()
    expect(await world.ended(task)).toMatchObject({ state: 'success' })
    expect(await shop(target)).toEqual(table('new'))
    expect(await world.tabs(target)).toEqual(['Shop'])
    // The delayed request still arrives.
    await swallowed.deliver()
    expect(await shop(target)).toEqual(table('new'))
  })

  test('a commit that only sets formats', async () => {
    const { source, target, task } = await world.pair([['Price'], ...table('x').map(() => ['y'])], [])
    await world.run(task)
    const numberFormat = { type: 'NUMBER', pattern: '0.00' }
    const repeatCell = {
      range: { sheetId: 100, startRowIndex: 1 },
      cell: { userEnteredFormat: { numberFormat } },
      fields: 'userEnteredFormat.numberFormat',
    }
    await world.batch(source, { repeatCell })
    const swallowed = world.proxy.hold(commit)
    await world.start(task)
    await swallowed.arrived
    swallowed.pretend()
    expect(await world.ended(task)).toMatchObject({ state: 'success' })
    const { data } = await world.api.spreadsheets.get({
      spreadsheetId: target,
      ranges: ['Shop!A2'],
      fields: 'sheets.data.rowData.values.userEnteredFormat.numberFormat',
    })
    expect(data.sheets?.[0]?.data?.[0]?.rowData?.[0]?.values?.[0]?.userEnteredFormat).toEqual({
      numberFormat,
    })
    expect(await world.tabs(target)).toEqual(['Shop'])
  })

  test('the removal of a staging tab that an earlier run left behind', async () => {
    const { target, task } = await world.pair(table('new'), table('old'))
    await world.batch(target, { addSheet: { properties: { sheetId: 4711, title: 'Left', hidden: true } } })
    await world.db
      .insertInto('staging_tabs')
      .values({ run_id: 999_999, spreadsheet_id: target, sheet_id: 4711 })
      .execute()
    const swallowed = world.proxy.hold({ body: /^\{"requests":\[\{"deleteSheet"/ })
    await world.start(task)
    await swallowed.arrived
    swallowed.pretend()
    expect(await world.ended(task)).toMatchObject({ state: 'success' })
    expect(await world.tabs(target)).toEqual(['Shop'])
    expect(await records(target)).toEqual([])
  })
})

test('a run that an earlier release began to write in place is compared again and written in one commit', async () => {
  const sheets = await world.pair(changed(table('new'), 'x'), table('new'))
  const late = world.proxy.hold(commit)
  await world.start(sheets.task)
  await late.arrived
  // State left by an earlier release: half of the rows are written, and a write may still arrive.
  await world.write(sheets.target, 'Shop!A1', changed(table('new'), 'x').slice(0, 10))
  const runOfTask = world.db.selectFrom('tasks').select('last_run_id').where('id', '=', sheets.task)
  await world.db
    .updateTable('runs')
    .set({ checkpoint: sql`jsonb_set(checkpoint, '{commit,mode}', '"in_place"')` })
    .where('id', '=', runOfTask)
    .execute()
  await world.changeEngine()
  const run = await world.ended(sheets.task)
  expect([run.state, run.message]).toEqual(['success', run.message])
  expect(run.receipt).toMatchObject({ mode: 'in_place' })
  expect((await late.deliver()).status).toBe(400)
  expect(await shop(sheets.target)).toEqual(changed(table('new'), 'x'))
  const next = await world.run(sheets.task)
  expect(next).toMatchObject({ state: 'success', receipt: { mode: 'unchanged' } })
})

describe('rows and columns that another editor adds while the commit is in flight are kept', () => {
  const wide = (rows: number, columns: number) =>
    Array.from({ length: rows }, (_, row) =>
      Array.from({ length: columns }, (_, column) => `${row}/${column}`),
    )

  test.each([
    { title: 'when the copy adds rows', rows: 60, columns: COLUMNS, held: 0 },
    { title: 'when it adds columns', rows: 19, columns: 12, held: 0 },
    { title: 'when it adds a row of few cells', rows: 21, columns: COLUMNS, held: 20 },
  ])('$title', async ({ rows, columns, held }) => {
    const { target, task } = await world.pair(wide(rows, columns), wide(held, columns))
    const caught = world.proxy.hold(commit)
    await world.start(task)
    await caught.arrived
    await world.batch(
      target,
      { appendDimension: { sheetId: 100, dimension: 'ROWS', length: 20 } },
      { appendDimension: { sheetId: 100, dimension: 'COLUMNS', length: 5 } },
    )
    const theirs = wide(40, 2)
    await world.write(target, 'Shop!N1', theirs)
    await caught.deliver()
    expect(await world.ended(task)).toMatchObject({ state: 'success' })
    expect(await world.values(target, 'Shop!N1:O')).toEqual(theirs)
    const ours = (await shop(target)).map((row) => row.slice(0, columns))
    expect(ours.slice(0, rows)).toEqual(wide(rows, columns))
  })
})
