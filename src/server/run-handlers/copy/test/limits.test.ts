import { describe, expect, test } from 'vitest'
import { copyWorlds } from '../../../../../test/fakes/json-directory/world.ts'
import { type CopyWorld, copyWorld } from '../../../../../test/fixtures/copy-world.ts'
import { CellNotes } from '../../cell-notes.ts'

const world = copyWorld()

type Rows = (string | number | boolean | null)[][]

const sized = (rows: number, columns: number): Rows =>
  Array.from({ length: rows }, (_, row) => Array.from({ length: columns }, (_, column) => `${row}/${column}`))

const task = (to: CopyWorld, source_ss_id: string, target_ss_id: string, start_row = 1) =>
  to.task({ source_ss_id, target_ss_id, start_row })

describe.each(copyWorlds())('over %s', (_provider, world) => {
  test('an empty source never empties a target that had rows', async () => {
    const source = await world.spreadsheet({ Products: [['SKU', 'Price']] }, 'Catalogue')
    const held = [
      ['SKU', 'Price'],
      ['A', 1],
      ['B', 2],
    ]
    const target = await world.spreadsheet({ Shop: held }, 'Web shop')
    const run = await world.run(await task(world, source, target))
    expect(run).toMatchObject({ state: 'failed', requests: { write: 0 } })
    expect(run.message).toContain(
      '‘Products’ in ‘Catalogue’ has no rows below its header, but ‘Shop’ in ‘Web shop’ has 2 rows. The target was not changed, because an empty source is never copied.',
    )
    expect(await world.values(target, 'Shop')).toEqual(held)
  })

  test('a source with nothing at all in or below its header row fails the run', async () => {
    const source = await world.spreadsheet({ Products: [['Title']] }, 'Catalogue')
    const target = await world.spreadsheet({ Shop: [['SKU'], ['A']] })
    for (const start_row of [2, 5_000]) {
      const run = await world.run(await task(world, source, target, start_row))
      expect(run).toMatchObject({ state: 'failed', requests: { write: 0 } })
      expect(run.message).toContain(`has nothing in or below row ${start_row}.`)
      await world.db.deleteFrom('sync_tasks').execute()
    }
  })

  test('a header without rows is copied to a target that has none', async () => {
    const source = await world.spreadsheet({ Products: [['SKU', 'Price']] })
    const target = await world.spreadsheet({ Shop: [] })
    expect((await world.run(await task(world, source, target))).state).toBe('success')
    expect(await world.values(target, 'Shop')).toEqual([['SKU', 'Price']])
  })
})

test('a table that would exceed Google’s 10 million cells is refused, and the target is unchanged', async () => {
  const source = await world.spreadsheet({ Products: sized(3_000, 12) })
  const target = await world.spreadsheet({ Shop: [['old']] }, 'Web shop')
  await world.fillUp(target, 20_000)
  const run = await world.run(await task(world, source, target))
  expect(run.state).toBe('failed')
  expect(run.message).toContain(
    '‘Shop’ in ‘Web shop’ would need 3,000 rows x 12 columns, and the spreadsheet would then have 10,015,800 cells. Google allows 10,000,000.',
  )
  expect(await world.values(target, 'Shop')).toEqual([['old']])
  expect((await world.tabs(target)).filter((title) => title.startsWith('Rowferry'))).toEqual([])
})

test('where target and staging tab together would exceed that limit, the run fails before it writes, with the numbers', async () => {
  const source = await world.spreadsheet({ Products: sized(4_000, 12) })
  const held = [['old', 'old', '', 'x'], ['old'], ...sized(30, 14)]
  const target = await world.spreadsheet({ Shop: held }, 'Web shop')
  await world.fillUp(target, 70_000)
  const id = await task(world, source, target)
  const run = await world.run(id)
  expect([run.state, run.message]).toEqual([
    'failed',
    expect.stringMatching(
      /‘Shop’ in ‘Web shop’ needs 4,000 rows x \d+ columns, and the staging tab in which a change is prepared 4,002 rows x 12 columns\. The spreadsheet would then have 10,0\d\d,\d{3} cells\. Google allows 10,000,000\. Copy fewer columns, delete tabs .*, or choose another spreadsheet as the target\./,
    ),
  ])
  expect(await world.values(target, 'Shop')).toEqual(held)
  expect((await world.tabs(target)).filter((title) => title.startsWith('Rowferry'))).toEqual([])

  // A smaller table fits.
  await world.api.spreadsheets.values.clear({ spreadsheetId: source, range: 'Products!A11:L' })
  expect((await world.run(id)).state).toBe('success')
  expect((await world.values(target, 'Shop!A:L')).slice(0, 12)).toEqual(sized(10, 12))
})

test('in a spreadsheet without room for a single cell, the run fails before it writes', async () => {
  const source = await world.spreadsheet({ Products: sized(5, 3) })
  const target = await world.spreadsheet({ Shop: [] })
  await world.fillUp(target, 0)
  const run = await world.run(await task(world, source, target))
  expect(run.state).toBe('failed')
  expect(run.message).toContain('the staging tab in which a change is prepared 2 rows x 3 columns')
  expect(await world.values(target, 'Shop')).toEqual([])
})

test('spreadsheet errors are copied as text, and named in a warning', async () => {
  const source = await world.spreadsheet({
    Products: [
      ['SKU', 'Price'],
      ['A', '#N/A'],
      ['#REF! no', 1],
    ],
  })
  await world.api.spreadsheets.values.update({
    spreadsheetId: source,
    range: 'Products!C2',
    valueInputOption: 'USER_ENTERED',
    requestBody: { values: [['=1/0']] },
  })
  const target = await world.spreadsheet({ Shop: [] })
  const run = await world.run(await task(world, source, target))
  expect(run.state).toBe('warning')
  expect(run.log).toContain('WARNING 2 cells (B2, C2) with a spreadsheet error such as #N/A, copied as text.')
  expect(await world.values(target, 'Shop')).toEqual([
    ['SKU', 'Price'],
    ['A', '#N/A', '#DIV/0!'],
    ['#REF! no', 1],
  ])
  const { data } = await world.api.spreadsheets.values.get({
    spreadsheetId: target,
    range: 'Shop!C2',
    valueRenderOption: 'FORMULA',
  })
  expect(data.values).toEqual([['#DIV/0!']])
})

test('cells past 50,000 characters and characters that cannot be stored are noticed, by row and column', () => {
  const notes = new CellNotes()
  notes.take(['x'.repeat(50_000), 'y'.repeat(50_001)], 7)
  expect(notes.take(['fine 📚', 'half \ud83d', 'nul \0'], 8)).toEqual([
    'fine 📚',
    'half \ufffd',
    'nul \ufffd',
  ])
  expect(notes.tooLong).toMatchObject({ count: 1, first: [{ row: 7, column: 1 }] })
  expect(notes.replaced.first).toEqual([
    { row: 8, column: 1 },
    { row: 8, column: 2 },
  ])
})
