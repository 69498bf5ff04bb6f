import { afterAll, describe, expect, test } from 'vitest'
import { EDITS } from '../../../../../test/fixtures/colleague-edits.ts'
import { copyWorld } from '../../../../../test/fixtures/copy-world.ts'
import { COMMIT } from '../../../../../test/fixtures/edited-copies.ts'

// Edits by another editor between the last read of a target whose rows are matched, and the commit.
const world = copyWorld({ proxied: true })
afterAll(() => world.proxy.reset())

const COLUMNS = 4
const ROWS = 6
const START_ROW = 3

const table = (mark: string, from: number) =>
  Array.from({ length: ROWS }, (_, row) =>
    Array.from({ length: COLUMNS }, (_, column) => {
      if (row === 0) return `H${column}`
      return column === 0 ? `key ${from + row}` : `${mark} ${from + row}/${column}`
    }),
  )
const ABOVE = [['mine: prices'], [null, 'mine: as of today']]

const KEY = JSON.stringify(['H0'])
const modes: Record<string, object> = {
  update: { write_mode: 'update', key_columns: KEY },
  'update by header': { write_mode: 'update', key_columns: KEY, find_columns_by_header: true },
  append: { write_mode: 'append', key_columns: KEY },
  'append without a key': { write_mode: 'append', key_columns: '[]' },
}

/** The target of a task that has written the first rows; two of them are gone from its source, and two others have come. */
async function written(settings: object) {
  const source = await world.spreadsheet({ Products: [...ABOVE, ...table('old', 0)] })
  const target = await world.spreadsheet({ Shop: ABOVE })
  const properties = { sheetId: 100, gridProperties: { rowCount: 100, columnCount: 10 } }
  await world.batch(target, {
    updateSheetProperties: { properties, fields: 'gridProperties(rowCount,columnCount)' },
  })
  const task = await world.task({
    ...{ source_ss_id: source, target_ss_id: target, start_row: START_ROW, on_bad_keys: 'skip' },
    ...settings,
  })
  await world.setRetries(task, 0)
  expect((await world.run(task)).state).toBe('success')
  await world.write(target, 'Shop!F3', [
    ['mine'],
    ...Array.from({ length: ROWS - 1 }, (_, row) => [`mine ${row}`]),
  ])
  await world.write(source, 'Products!A3', table('new', 2))
  return { target, task }
}

type Grids = Map<string, unknown[][]>

async function gridsOf(target: string): Promise<Grids> {
  const names = await world.tabs(target)
  const grids = await Promise.all(names.map((name) => world.values(target, name)))
  return new Map(names.map((name, at) => [name, grids[at] ?? []]))
}

/** Cells of the other editor, with the key of their row; in a row without one, the cells count alone. */
const theirs = (grids: Grids) =>
  [...grids.values()]
    .flatMap((rows) =>
      rows.flatMap((cells) =>
        cells.flatMap((cell, column) => {
          if (!String(cell).startsWith('mine')) return []
          const key = String(cells[0] ?? '')
          return [JSON.stringify([key.startsWith('key') ? key : '', column, cell])]
        }),
      ),
    )
    .sort()

// A column that is moved at that moment is reported, and not kept (decision 054).
const kept = EDITS.filter(({ unseen }) => !unseen)
const MOVED_UP = 'the row above the table is deleted'

const cases = Object.keys(modes).flatMap((mode) =>
  kept.flatMap(({ what, requests }) => (what === MOVED_UP ? [] : { mode, what, requests })),
)

/** The cells of the task by their key, and the header. */
const ours = (grid: readonly unknown[][]) =>
  grid
    .map((row) => row.slice(0, COLUMNS).map(String))
    .filter(([key]) => key === 'H0' || key?.startsWith('key'))

describe('a commit to a target whose rows are matched loses no cell of another editor:', () => {
  test.concurrent.each(cases)('$mode, when $what', async ({ mode, requests }) => {
    const { target, task } = await written(modes[mode] ?? {})
    const held = world.proxy.hold({ path: new RegExp(target), ...COMMIT })
    await world.start(task)
    await held.arrived
    await world.batch(target, ...requests)
    const edited = await gridsOf(target)
    await held.deliver()
    for (const run of [await world.ended(task), await world.run(task)]) {
      const now = await gridsOf(target)
      const said = `${run.state}: ${run.message}`
      expect(theirs(now), said).toEqual(theirs(edited))
      if (run.state === 'failed') expect(now.get('Shop'), said).toEqual(edited.get('Shop'))
    }
  })
})

const deleteRow = (startIndex: number) => ({
  deleteDimension: {
    range: { sheetId: 100, dimension: 'ROWS', startIndex, endIndex: startIndex + 1 },
  },
})
const insertRow = {
  insertDimension: { range: { sheetId: 100, dimension: 'ROWS', startIndex: 0, endIndex: 1 } },
}
const NO_HEADER = /The header of .* is no longer in row 3, which has ‘key 1’, .* in place of ‘H0’/

describe('a header that has moved up is no row of data:', () => {
  test.each(Object.keys(modes))('%s, before a run', async (mode) => {
    const { target, task } = await written(modes[mode] ?? {})
    await world.batch(target, deleteRow(1))
    const edited = await gridsOf(target)
    expect(await world.run(task)).toMatchObject({
      state: 'failed',
      message: expect.stringMatching(new RegExp(`${NO_HEADER.source}.* Nothing was written`)),
    })
    expect(await gridsOf(target)).toEqual(edited)
    await world.batch(target, insertRow)
    expect((await world.run(task)).state).toBe('success')
  })

  test.each(Object.keys(modes))('%s, right before the commit', async (mode) => {
    const { target, task } = await written(modes[mode] ?? {})
    const held = world.proxy.hold({ path: new RegExp(target), ...COMMIT })
    await world.start(task)
    await held.arrived
    await world.batch(target, deleteRow(1))
    const edited = await gridsOf(target)
    await held.deliver()
    expect(await world.ended(task)).toMatchObject({
      state: 'failed',
      message: expect.stringMatching(NO_HEADER),
    })
    expect(theirs(await gridsOf(target))).toEqual(theirs(edited))
    // With the row back, the next run writes each value into its row.
    await world.batch(target, insertRow)
    expect((await world.run(task)).state).toBe('success')
    const grids = await gridsOf(target)
    expect(theirs(grids)).toEqual(theirs(edited))
    const now = new Map(ours(grids.get('Shop') ?? []).map(([key = '', ...cells]) => [key, cells]))
    for (const [key = '', ...cells] of table('new', 2)) {
      const added = !mode.startsWith('append') || Number(key.slice(4)) > ROWS - 1
      if (added) expect(now.get(key), key).toEqual(cells)
    }
  })

  test.each(Object.keys(modes))('%s, where the header row is deleted', async (mode) => {
    const { target, task } = await written(modes[mode] ?? {})
    await world.batch(target, deleteRow(2))
    const edited = await gridsOf(target)
    expect((await world.run(task)).message).toMatch(NO_HEADER)
    expect(await gridsOf(target)).toEqual(edited)
  })
})
