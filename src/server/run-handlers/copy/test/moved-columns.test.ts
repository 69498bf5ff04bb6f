import { afterEach, expect, test } from 'vitest'
import { copyWorld } from '../../../../../test/fixtures/copy-world.ts'

// Another editor moves a column into the table during the copy, which does not change the grid's size.
const world = copyWorld({ proxied: true, commit_bytes: 2_000 })
afterEach(() => world.proxy.reset())

const table = (mark: string, rows: number) =>
  Array.from({ length: rows }, (_, row) =>
    Array.from({ length: 4 }, (_, column) => (row === 0 ? `H${column}` : `${mark} ${row}/${column}`)),
  )
const commit = { path: /:batchUpdate/, body: /"deleteSheet"/ }
const column = { sheetId: 100, dimension: 'COLUMNS', startIndex: 5, endIndex: 6 }
const move = { moveDimension: { source: column, destinationIndex: 1 } }
const theirs = [['Mine'], ['keep 1'], ['keep 2']]

/** A copied table with another editor's column to its right, whose source has changed. */
async function changed(rows: number, mark = '') {
  const { source, target, task } = await world.pair(table('old', rows), [], { on_cells_beside: 'warn' })
  await world.run(task)
  await world.write(target, 'Shop!F1', theirs)
  const [header = [], ...data] = table('new', rows)
  const wanted = [header.map((word) => `${word}${mark}`), ...data]
  await world.write(source, 'Products!A1', wanted)
  return { target, task, wanted }
}

const warning =
  'WARNING E1, right of the header of ‘Shop’ in ‘Web shop’, changed while the table was being written.'

test.each([
  ['is answered', (held: ReturnType<typeof world.proxy.hold>) => held.deliver()],
  [
    'is not answered',
    (held: ReturnType<typeof world.proxy.hold>) => {
      held.breakOff()
      return held.deliver()
    },
  ],
])(
  'a paste that is applied right after that and %s ends as a Warning that names the cell',
  async (_what, deliver) => {
    const { target, task } = await changed(60)
    const held = world.proxy.hold(commit)
    await world.start(task)
    await held.arrived
    await world.batch(target, move)
    await deliver(held)
    const run = await world.ended(task)
    expect([run.state, run.message]).toEqual(['warning', run.message])
    expect(run.log).toContainEqual(expect.stringContaining(warning))
    expect(await world.values(target, 'Shop!A:D')).toEqual(table('new', 60))
  },
)

test('a commit of cells that is applied right after that and covers the whole column also ends as a Warning', async () => {
  // The header changes as well, so the rows read back do not show the moved column.
  const { target, task, wanted } = await changed(6, '!')
  const held = world.proxy.hold(commit)
  await world.start(task)
  await held.arrived
  await world.batch(target, move)
  await held.deliver()
  const run = await world.ended(task)
  expect([run.state, run.message]).toEqual(['warning', run.message])
  expect(run.log).toContainEqual(expect.stringContaining(warning))
  expect(await world.values(target, 'Shop!A:D')).toEqual(wanted)
})

test('a column that is moved while the table is staged is detected before anything is written', async () => {
  const { target, task } = await changed(60)
  const held = world.proxy.hold({ path: /values:batchUpdate/ })
  await world.start(task)
  await held.arrived
  await world.batch(target, move)
  await held.deliver()
  const run = await world.ended(task)
  expect([run.state, run.message]).toEqual([
    'failed',
    expect.stringMatching(/columns were inserted, moved or deleted: .*Nothing was written/),
  ])
  expect(run.log).toContain(
    'INFO Columns of ‘Shop’ in ‘Web shop’ were moved, or headers edited, while it was copied. Opening the spreadsheets again.',
  )
  expect(await world.values(target, 'Shop!B1:B3')).toEqual(theirs)
  expect(await world.tabs(target)).toEqual(['Shop'])
})

test('a header cell that is overwritten while the table is staged is repaired', async () => {
  const { target, task } = await changed(60)
  const held = world.proxy.hold({ path: /values:batchUpdate/ })
  await world.start(task)
  await held.arrived
  await world.write(target, 'Shop!B1', [['over']])
  await held.deliver()
  const run = await world.ended(task)
  // It warns of the cells beside rows that were replaced as a whole.
  expect([run.state, run.message]).toEqual(['warning', run.message])
  expect(await world.values(target, 'Shop!A:D')).toEqual(table('new', 60))
})
