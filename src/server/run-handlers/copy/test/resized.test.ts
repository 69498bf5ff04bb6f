import { afterEach, expect, test } from 'vitest'
import { copyWorld } from '../../../../../test/fixtures/copy-world.ts'

// Another editor inserts or deletes columns and rows while the commit is in flight, so its addresses are outdated.
const world = copyWorld({ proxied: true, commit_bytes: 2_000 })
afterEach(() => world.proxy.reset())

const COLUMNS = 4
const table = (mark: string, rows: number) =>
  Array.from({ length: rows }, (_, row) =>
    Array.from({ length: COLUMNS }, (_, column) => {
      if (row === 0) return `H${column}`
      // Rows stay the same, so cells beside them do not stop a run.
      return column === 0 ? `row ${row}` : `${mark} ${row}/${column}`
    }),
  )
const commit = { path: /:batchUpdate/, body: /"deleteSheet"/ }
const sizes: [what: string, rows: number][] = [
  ['a commit of cells', 6],
  ['a commit that pastes', 60],
]
const line = (dimension: 'ROWS' | 'COLUMNS', startIndex: number) => ({
  range: { sheetId: 100, dimension, startIndex, endIndex: startIndex + 1 },
})
const insert = (dimension: 'ROWS' | 'COLUMNS', index: number) => ({ insertDimension: line(dimension, index) })
const remove = (dimension: 'ROWS' | 'COLUMNS', index: number) => ({ deleteDimension: line(dimension, index) })
const note = {
  updateCells: {
    start: { sheetId: 100, rowIndex: 0, columnIndex: 0 },
    rows: [{ values: [{ userEnteredValue: { stringValue: 'keep this note' } }] }],
    fields: 'userEnteredValue',
  },
}
const moved = /header of .* shows that columns were inserted, moved or deleted: /
const headerMoved = /is no longer in row 1: rows were inserted above it/

/** A copied table with another editor's cells next to it, whose source has changed. */
async function changed(rows: number) {
  const { source, target, task } = await world.pair(table('old', rows), [], { on_cells_beside: 'warn' })
  await world.run(task)
  await world.write(target, 'Shop!E1', [['Mine'], ['keep 1'], ['keep 2'], ['keep 3']])
  await world.write(source, 'Products!A1', table('new', rows))
  return { target, task }
}

type Request = Parameters<typeof world.batch>[1]

/** Runs the task and applies the other editor's change before its commit. */
async function raced(
  task: number,
  target: string,
  edits: readonly Request[],
  deliver?: (body: string) => string,
) {
  const held = world.proxy.hold(commit)
  await world.start(task)
  await held.arrived
  await world.batch(target, ...edits)
  await held.deliver(deliver)
  return world.ended(task)
}

const kept = async (target: string) =>
  (await world.values(target, 'Shop')).flat().filter((cell) => /^(Mine|keep)/.test(String(cell)))
const othersCells = ['Mine', 'keep 1', 'keep 2', 'keep 3']

test.each(
  sizes.flatMap(([what, rows]) => [
    [what, 'a column is inserted', rows, [insert('COLUMNS', 1)], moved] as const,
    [what, 'a column is deleted', rows, [remove('COLUMNS', 1)], moved] as const,
    [what, 'a note is put into a new row above', rows, [insert('ROWS', 0), note], headerMoved] as const,
  ]),
)(
  '%s is refused as a whole when %s meanwhile, and the next comparison fails the run',
  async (_what, _edit, rows, edits, why) => {
    const { target, task } = await changed(rows)
    const run = await raced(task, target, edits)
    expect([run.state, run.message]).toEqual(['failed', expect.stringMatching(why)])
    expect(run.message).toContain('Nothing was written.')
    expect((await kept(target)).filter((cell) => cell !== 'keep this note')).toEqual(othersCells)
    expect(JSON.stringify(await world.values(target, 'Shop'))).not.toContain('new')
    expect(await world.tabs(target)).toEqual(['Shop'])
  },
)

test.each(
  sizes.flatMap(([what, rows]) => [
    [what, 'a row of it is deleted', rows, [remove('ROWS', 2)], ['Mine', 'keep 1', 'keep 3']] as const,
    [what, 'a blank row is inserted above it', rows, [insert('ROWS', 0)], othersCells] as const,
    [what, 'a row is inserted in it', rows, [insert('ROWS', 2)], othersCells] as const,
    [
      what,
      'a column is added at the end',
      rows,
      [{ appendDimension: { sheetId: 100, dimension: 'COLUMNS', length: 1 } }],
      othersCells,
    ] as const,
  ]),
)('%s is compared and written again when %s meanwhile', async (_what, _edit, rows, edits, left) => {
  const { target, task } = await changed(rows)
  const run = await raced(task, target, edits)
  // Other people's cells have moved against the rows, or not.
  expect(['success', 'warning'], run.message).toContain(run.state)
  expect(run.log).toContain(
    'INFO Rows or columns of ‘Shop’ in ‘Web shop’ were inserted or deleted while it was copied. Opening the spreadsheets again.',
  )
  expect(await world.values(target, 'Shop!A:D')).toEqual(table('new', rows))
  expect(await kept(target)).toEqual(left)
})

test.each([
  { edit: 'a row is inserted above it', edits: [insert('ROWS', 0)], state: 'success', why: /read back/ },
  {
    edit: 'a note is put into a new row above',
    edits: [insert('ROWS', 0), note],
    state: 'failed',
    why: headerMoved,
  },
  { edit: 'a row of it is deleted', edits: [remove('ROWS', 2)], state: 'success', why: /read back/ },
])('what a staged commit has written is known when $edit before it is read back', async (given) => {
  const { edits, state, why } = given
  const { target, task } = await changed(60)
  const held = world.proxy.hold(commit)
  await world.start(task)
  await held.arrived
  const reading = world.proxy.hold({ method: 'GET', path: new RegExp(target) })
  await held.deliver()
  await reading.arrived
  await world.batch(target, ...edits)
  await reading.deliver()
  const run = await world.ended(task)
  expect([run.state, run.message]).toEqual([state, expect.stringMatching(why)])
  expect(run.message).not.toContain('Nothing was written')
  if (state === 'success') expect(await world.values(target, 'Shop!A:D')).toEqual(table('new', 60))
  else expect((await world.values(target, 'Shop!A:D')).slice(1)).toEqual(table('new', 60))
})

test('a merge over the last cells of the grid does not prevent a commit', async () => {
  const { target, task } = await changed(6)
  const range = { sheetId: 100, startRowIndex: 18, endRowIndex: 20, startColumnIndex: 8, endColumnIndex: 10 }
  await world.batch(target, { mergeCells: { range } })
  expect(await world.run(task)).toMatchObject({ state: 'success' })
  expect(await world.values(target, 'Shop!A:D')).toEqual(table('new', 6))
})

test('if Google copied beyond the edge of a tab, the run would report it, and keep the cells beside the table', async () => {
  const { target, task } = await changed(60)
  const withoutProof = (body: string) => {
    const { requests, ...rest } = JSON.parse(body)
    return JSON.stringify({
      ...rest,
      requests: requests.filter((_: object, at: number) => at !== requests.length - 2),
    })
  }
  const run = await raced(task, target, [insert('COLUMNS', 1)], withoutProof)
  expect([run.state, run.message]).toEqual(['warning', run.message])
  expect(run.log.filter((entry) => entry.startsWith('WARNING'))).toEqual([
    expect.stringContaining('were inserted while it was being written'),
  ])
  expect(await world.values(target, 'Shop!A:D')).toEqual(table('new', 60))
  expect(await kept(target)).toEqual(othersCells)
})
