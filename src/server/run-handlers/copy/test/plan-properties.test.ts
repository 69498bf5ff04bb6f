import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openDirectory } from '../../../../../test/fakes/json-directory/world.ts'

// The provider with the cheapest requests: what a plan says does not depend on it.
const world = openDirectory()

const PAIRS = Number(process.env.PROPERTY_RUNS ?? 1_000)
const LANES = 8
/** Pairs of one task: its log is read after each run. */
const LENGTH = 20

type Value = string | number | null
type Table = Value[][]

// Few values, so that rows are equal, move and repeat.
const cell: fc.Arbitrary<Value> = fc.constantFrom(null, null, 'a', 'b', 'c', 1, 2)
const row = (columns: number) => fc.array(cell, { minLength: columns, maxLength: columns })
const table: fc.Arbitrary<Table> = fc.integer({ min: 1, max: 4 }).chain((columns) =>
  fc
    .tuple(
      fc.uniqueArray(fc.constantFrom('SKU', 'Name', 'Price', 'Stock', 'EAN'), {
        minLength: columns,
        maxLength: columns,
      }),
      fc.array(row(columns), { maxLength: 8 }),
      row(columns),
    )
    // A table without rows is refused.
    .map(([header, rows, last]) => [header, ...rows, last.every((value) => value === null) ? ['z'] : last]),
)

const trimmed = (cells: readonly unknown[] = []): unknown[] => {
  const values = cells.map((value) => (value === '' ? null : value))
  return values.slice(0, values.findLastIndex((value) => value !== null) + 1)
}
const isEqual = (one?: readonly unknown[], other?: readonly unknown[]) =>
  JSON.stringify(trimmed(one)) === JSON.stringify(trimmed(other))

test(`of ${PAIRS.toLocaleString('en')} random pairs of tables, the plan's counts and cells are those of the receipt and the target`, async () => {
  const seed = fc.sample(fc.integer(), 1)[0] ?? 0
  const tables = fc.sample(table, { seed, numRuns: PAIRS })
  const sequences = Array.from({ length: Math.ceil(PAIRS / LENGTH) }, (_, n) =>
    tables.slice(n * LENGTH, (n + 1) * LENGTH),
  )
  const lane = async () => {
    for (let next = sequences.pop(); next; next = sequences.pop()) await applyEach(next, seed)
  }
  await Promise.all(Array.from({ length: LANES }, lane))
}, 900_000)

/** Copies tables one after the other to one target: each is compared with the one before, previewed, and written by its plan. */
async function applyEach(tables: readonly Table[], seed: number): Promise<void> {
  const { source, target, task } = await world.pair([['SKU']])
  let before: unknown[][] = []
  for (const wanted of tables) {
    await world.clear(source, 'Products')
    await world.write(source, 'Products', wanted)
    const why = JSON.stringify({ seed, before, wanted })
    const { state, message, plan, plan_id, rows } = await world.preview(task)
    expect([state, plan?.summary.unowned], `${message} ${why}`).toEqual(['success', null])
    if (!plan) return
    const { summary } = plan
    const run = await world.run(task, { plan: plan_id })
    const after = await world.values(target, 'Shop')
    expect([run.state, after.map(trimmed)], `${run.message} ${why}`).toEqual(['success', written(wanted)])
    expect(run.receipt?.cells_changed, why).toBe(summary.cells.written)
    expect(summary.cells.written, why).toBe(differingCells(before, after))

    // Each row is as the target held it and holds it now, and the counts are those of the rows.
    for (const { old_row, new_row, old_cells, new_cells } of rows) {
      if (old_row !== null) expect(trimmed(old_cells), why).toEqual(trimmed(before[old_row - 1]))
      if (new_row !== null) expect(trimmed(new_cells), why).toEqual(trimmed(after[new_row - 1]))
    }
    const count = (kind: string) => rows.filter((one) => one.kind === kind).length
    for (const kind of ['removed', 'changed', 'added', 'moved'] as const)
      expect([kind, count(kind)], why).toEqual([kind, summary.rows[kind]])
    const changed = rows.filter(({ kind }) => kind === 'changed')
    const cells = changed.map(({ old_cells, new_cells }) => differingCells([old_cells], [new_cells]))
    expect(summary.cells.changed, why).toBe(cells.reduce((sum, n) => sum + n, 0))

    // Every row that differs is part of a change.
    const [olds, news] = [new Set(rows.map((one) => one.old_row)), new Set(rows.map((one) => one.new_row))]
    for (let index = 1; index < Math.max(before.length, after.length); index += 1) {
      if (isEqual(before[index], after[index])) continue
      if (trimmed(before[index]).length > 0) expect(olds.has(index + 1), why).toBe(true)
      if (trimmed(after[index]).length > 0) expect(news.has(index + 1), why).toBe(true)
    }
    before = after
  }
}

/** A table as the target holds it: without blank rows at the end. */
function written(wanted: Table): unknown[][] {
  const rows = wanted.map(trimmed)
  return rows.slice(0, rows.findLastIndex((cells) => cells.length > 0) + 1)
}

function differingCells(
  one: readonly (readonly unknown[])[],
  other: readonly (readonly unknown[])[],
): number {
  let cells = 0
  for (let index = 0; index < Math.max(one.length, other.length); index += 1) {
    const [before, after] = [trimmed(one[index]), trimmed(other[index])]
    for (let column = 0; column < Math.max(before.length, after.length); column += 1)
      if ((before[column] ?? null) !== (after[column] ?? null)) cells += 1
  }
  return cells
}
