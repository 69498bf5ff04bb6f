import { afterAll, expect, test } from 'vitest'
import type { Cell } from '../../../../../test/fakes/spreadsheets.ts'
import { copyWorld } from '../../../../../test/fixtures/copy-world.ts'
import { COMMIT } from '../../../../../test/fixtures/edited-copies.ts'

// Changes that do not fit one request, in a target whose rows are matched.
const world = copyWorld({ proxied: true, commit_bytes: 2_000 })
afterAll(() => world.proxy.reset())

const ROWS = 60
const sku = (row: number) => `S${String(row).padStart(3, '0')}`
const source = (mark: string): Cell[][] => [
  ['SKU', 'Name', 'Stock'],
  ...Array.from({ length: ROWS }, (_, row) => [sku(row), `${mark} name of ${sku(row)}`, row]),
]

/** A target with its rows the other way round, a column of another editor between the task's, and rows of their own. */
const held: Cell[][] = [
  ['SKU', 'Note', 'Name', 'Stock'],
  ...source('old')
    .slice(1)
    .reverse()
    .map(([key = '', name = '', stock = '']) => [key, `note of ${key}`, name, stock]),
  ['T1', 'note of T1', 'theirs', 1],
]
held.splice(30, 0, ['', 'note of nobody', 'their total', 99])

const formula = (rowIndex: number, columnIndex: number, formulaValue: string) => ({
  updateCells: {
    start: { sheetId: 100, rowIndex, columnIndex },
    rows: [{ values: [{ userEnteredValue: { formulaValue } }] }],
    fields: 'userEnteredValue',
  },
})

const all = {
  sheetId: 100,
  startRowIndex: 1,
  endRowIndex: held.length,
  startColumnIndex: 0,
  endColumnIndex: 4,
}

async function pair() {
  const made = await world.pair(source('old'), held, {
    write_mode: 'update',
    key_columns: JSON.stringify(['SKU']),
    find_columns_by_header: true,
    on_bad_keys: 'skip',
  })
  await world.batch(made.target, formula(30, 3, '=50+49'), formula(5, 1, '="note of "&A6'))
  const first = await world.run(made.task)
  expect(['success', 'warning'], first.message).toContain(first.state)
  await world.write(made.source, 'Products', source('new'))
  return made
}

const wanted = (table: Cell[][]) =>
  table.map((row) =>
    row.map((cell) => (typeof cell === 'string' ? cell.replace('old name', 'new name') : cell)),
  )

test('only cells of the task are written, and formulas of other editors stay formulas', async () => {
  const { target, task } = await pair()
  const run = await world.run(task)
  expect(run.receipt, run.message).toMatchObject({ mode: 'staged', by_key: { updated: ROWS, added: 0 } })
  expect(await world.values(target, 'Shop')).toEqual(wanted(held))
  await world.write(target, 'Shop!A6', [['S999']])
  expect(await world.values(target, 'Shop!B6')).toEqual([['note of S999']])
})

test('a note that is written between the reading and the commit stays', async () => {
  const { target, task } = await pair()
  const request = world.proxy.hold({ path: new RegExp(target), ...COMMIT })
  await world.start(task)
  await request.arrived
  await world.write(target, 'Shop!B10', [['a new note']])
  await request.deliver()
  const run = await world.ended(task)
  expect(['success', 'warning'], run.message).toContain(run.state)
  const expected = wanted(held)
  expected[9] = (expected[9] ?? []).with(1, 'a new note')
  expect(await world.values(target, 'Shop')).toEqual(expected)
})

const byNote = (table: unknown[][]) => new Map(table.slice(1).map((row) => [row[1], row]))

/** Starts a run that applies a plan, and holds its commit. */
async function applying() {
  const { target, task } = await pair()
  const { plan_id } = await world.preview(task)
  const request = world.proxy.hold({ path: new RegExp(target), ...COMMIT })
  await world.start(task, { plan: plan_id })
  await request.arrived
  return { target, task, request }
}

test('a run that applies a plan leaves a note alone that is written right before its commit', async () => {
  const { target, task, request } = await applying()
  await world.write(target, 'Shop!B10', [['a new note']])
  await request.deliver()
  const run = await world.ended(task)
  expect(run.receipt, run.message).toMatchObject({ mode: 'staged' })
  const expected = wanted(held)
  expected[9] = (expected[9] ?? []).with(1, 'a new note')
  expect(await world.values(target, 'Shop')).toEqual(expected)
})

test('after a sort right before the commit, the rows of a plan are written where they stand now', async () => {
  const { target, task, request } = await applying()
  await world.batch(target, { sortRange: { range: all, sortSpecs: [{ dimensionIndex: 0 }] } })
  const keys = (await world.values(target, 'Shop')).map(([key, note]) => [key, note])
  await request.deliver()
  const run = await world.ended(task)
  expect(run.state, run.message).toBe('warning')
  const now = await world.values(target, 'Shop')
  expect(now.map(([key, note]) => [key, note])).toEqual(keys)
  expect(byNote(now)).toEqual(byNote(wanted(held)))
})

test('a sort right before the commit loses no cell, and every note stands beside its row', async () => {
  const { target, task } = await pair()
  const request = world.proxy.hold({ path: new RegExp(target), ...COMMIT })
  await world.start(task)
  await request.arrived
  await world.batch(target, {
    sortRange: { range: all, sortSpecs: [{ dimensionIndex: 1, sortOrder: 'ASCENDING' }] },
  })
  await request.deliver()
  const run = await world.ended(task)
  expect(run.state, run.message).toBe('warning')
  expect(byNote(await world.values(target, 'Shop'))).toEqual(byNote(wanted(held)))
})
