import { expect, test } from 'vitest'
import { accessToken } from '../../../../../test/fakes/sandbox.ts'
import { Spreadsheets } from '../../../../../test/fakes/spreadsheets.ts'
import { copyWorld, until } from '../../../../../test/fixtures/copy-world.ts'

// Edits by another editor between the read of the target and the commit, for a cell commit and a paste commit.
const world = copyWorld()
const table = Array.from({ length: 4_000 }, (_, y) =>
  Array.from({ length: 12 }, (_, x) => (y === 0 ? `H${x}` : y * 12 + x)),
)
const small = table.slice(0, 20)
const sizes: [what: string, rows: (string | number)[][]][] = [
  ['a commit of cells', small],
  ['a commit that pastes', table],
]

/** Ben's spreadsheet, shared with all accounts, and Ada's task that writes to it. */
async function shared(rows: (string | number)[][]) {
  const ben = new Spreadsheets()
  ben.connect(world.root, () => accessToken(world.root, 'ben@example.com'))
  const source = await world.spreadsheet({ Products: rows })
  const target = await ben.spreadsheet({ Shop: [['H0']] })
  await ben.share(target)
  const task = await world.task({
    source_ss_id: source,
    target_ss_id: target,
  })
  return { ben, source, target, task }
}

/** Runs the task and applies the other editor's change while the first write is delayed in flight. */
async function whileCommitting(task: number, target: string, act: () => Promise<void>) {
  const match = { spreadsheet_id: target, kind: 'write', account: 'ada@example.com' }
  await world.faults({ kind: 'latency', ms: 4_000, count: 1, match })
  await world.start(task)
  await until(async () => (await world.faultsLeft()) === 0)
  await act()
  return world.ended(task)
}

const rows = (startRowIndex: number, endRowIndex: number) => ({ sheetId: 100, startRowIndex, endRowIndex })

test.each(sizes)(
  'a protected range ends %s with Google’s message, and the target is unchanged',
  async (_what, size) => {
    const { ben, target, task } = await shared(size)
    await world.setRetries(task, 0)
    const protectedRange = { range: rows(2, 4), editors: { users: ['ben@example.com'] } }
    const run = await whileCommitting(task, target, () =>
      ben.batch(target, { addProtectedRange: { protectedRange } }),
    )
    expect(run.state).toBe('failed')
    expect(run.message).toContain('You are trying to edit a protected cell or object.')
    expect(await world.values(target, 'Shop')).toEqual([['H0']])
    expect(await world.tabs(target)).toEqual(['Shop'])
  },
)

test.each(sizes)('a filter, an order and hidden rows set meanwhile cost %s no row', async (_what, size) => {
  const { ben, target, task } = await shared(size)
  await ben.write(target, 'A2', [['x'], ['a'], ['x'], ['b']])
  const run = await whileCommitting(task, target, async () => {
    const filter = { range: rows(0, 5), criteria: { 0: { hiddenValues: ['x'] } } }
    const hidden = {
      range: { sheetId: 100, dimension: 'ROWS', startIndex: 1, endIndex: 3 },
      properties: { hiddenByUser: true },
      fields: '*',
    }
    await ben.batch(
      target,
      { sortRange: { range: rows(1, 5), sortSpecs: [{ dimensionIndex: 0, sortOrder: 'DESCENDING' }] } },
      { setBasicFilter: { filter } },
      { updateDimensionProperties: hidden },
    )
  })
  expect([run.state, run.message]).toEqual(['success', run.message])
  expect(await world.values(target, 'Shop')).toEqual(size)
})

test('after another editor sorted, moved and inserted cells of the table, the next run makes it equal to the source', async () => {
  const { ben, target, task } = await shared(small)
  await world.run(task)
  await ben.batch(
    target,
    { sortRange: { range: rows(1, 20), sortSpecs: [{ dimensionIndex: 3, sortOrder: 'DESCENDING' }] } },
    {
      moveDimension: {
        source: { sheetId: 100, dimension: 'ROWS', startIndex: 5, endIndex: 8 },
        destinationIndex: 2,
      },
    },
    {
      insertRange: {
        range: { ...rows(3, 4), startColumnIndex: 0, endColumnIndex: 2 },
        shiftDimension: 'ROWS',
      },
    },
  )
  expect(await world.values(target, 'Shop')).not.toEqual(small)
  expect(await world.run(task)).toMatchObject({ state: 'success' })
  expect(await world.values(target, 'Shop!A1:L20')).toEqual(small)
})

test.each(sizes)('merged cells end %s with Google’s message, never in half a table', async (_what, size) => {
  const { ben, target, task } = await shared(size)
  await world.setRetries(task, 0)
  const range = { ...rows(1, 3), startColumnIndex: 9, endColumnIndex: 30 }
  await ben.batch(target, { appendDimension: { sheetId: 100, dimension: 'COLUMNS', length: 30 } })
  const run = await whileCommitting(task, target, () => ben.batch(target, { mergeCells: { range } }))
  // Single cells are still written; a paste that would split the merged cells is rejected as a whole.
  if (size === small) expect(run.state).toBe('success')
  else
    expect([run.state, run.message]).toEqual([
      'failed',
      expect.stringContaining('partially intersects a merge'),
    ])
  expect(await world.values(target, 'Shop')).toEqual(run.state === 'success' ? size : [['H0']])
  expect(await world.tabs(target)).toEqual(['Shop'])
})
