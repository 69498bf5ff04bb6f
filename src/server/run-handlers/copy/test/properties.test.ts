import fc from 'fast-check'
import { expect, test } from 'vitest'
import { copyWorlds } from '../../../../../test/fakes/json-directory/world.ts'
import type { CopyWorld } from '../../../../../test/fixtures/copy-world.ts'

// Small request and commit limits, so that tables of a few cells use every write plan.
const worlds = copyWorlds({ cellsPerRead: 60, commit_bytes: 600 })
const SEQUENCES = Number(process.env.PROPERTY_RUNS ?? 8)

type Value = string | number | boolean | null
type Grid = Value[][]
const ROWS = 14
const COLUMNS = 8

const value: fc.Arbitrary<Value> = fc.oneof(
  { weight: 4, arbitrary: fc.constant(null) },
  { weight: 3, arbitrary: fc.constantFrom('a', '007', '=1+1', "'x", 'TRUE', ' ', '1/2', '-0', '\\N', '#x') },
  { weight: 2, arbitrary: fc.integer({ min: -3, max: 3 }) },
  { weight: 1, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0) },
  { weight: 1, arbitrary: fc.boolean() },
  {
    weight: 1,
    arbitrary: fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 6 })
      .filter((text) => !text.includes('\0')),
  },
)
const grid = fc.array(fc.array(value, { maxLength: COLUMNS }), { maxLength: ROWS })
const names = ['SKU', 'Price', 'Stock', 'Note', '']
const source = fc
  .tuple(grid, fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: COLUMNS }), grid)
  .map(([above, header, below]) => ({ above, header: header.map((name) => name || null), below }))
/** Events between two runs. */
const edit = fc.record({
  source: fc.option(source, { nil: undefined, freq: 3 }),
  /** Another editor writes to any cell of the target. */
  target: fc.array(fc.record({ row: fc.nat(ROWS - 1), column: fc.nat(COLUMNS - 1), value }), {
    maxLength: 4,
  }),
})
const sequence = fc.record({
  source,
  target: grid,
  start_row: fc.integer({ min: 1, max: 4 }),
  chunk_size: fc.integer({ min: 1, max: 9 }),
  excluded: fc.subarray(['SKU', 'Price', 'Stock', 'Unknown'], { maxLength: 2 }),
  edits: fc.array(edit, { minLength: 1, maxLength: 3 }),
})

/** Reference model: the expected copy of these rows. */
function projected({ header, below }: { header: Value[]; below: Grid }, excluded: string[]): Grid {
  const kept = (column: number) => !excluded.includes(String(header[column] ?? ''))
  const rows = [header, ...below].map((row) => trimmed(row.filter((_, column) => kept(column))))
  return rows.slice(0, rows.findLastIndex((row) => row.length > 0) + 1)
}

/** Whether a run would overwrite unowned cells. `last`: rows that the previous run wrote. */
function isForeign(held: Grid, last: Grid, owned: number, columns: number): boolean {
  const [header = [], ...rows] = held
  const [ours = [], ...former] = last
  const filled = (grid: Grid, column: number) => grid.flatMap((row) => row[column] ?? [])
  if (held.every((row) => row.slice(0, Math.max(owned, columns)).every((cell) => cell === null))) return false
  for (let column = owned; column < columns; column += 1) if (filled(held, column).length > 0) return true
  if (ours.length === 0) return false
  const isLowered = rows.some((row) => ours.every((cell, column) => (row[column] ?? null) === cell))
  return Array.from({ length: owned }, (_, column) => column).some((column) => {
    const found = header[column] ?? null
    if (found === (ours[column] ?? null)) return false
    const left = filled(rows, column)
    const before = filled(former, column)
    if (before.length === 0) return left.length > 0 || (isLowered && found !== null)
    let kept = 0
    for (const cell of before) {
      const place = left.indexOf(cell)
      if (place < 0) continue
      left.splice(place, 1)
      kept += 1
    }
    return kept * 2 <= before.length || (isLowered && found !== null && !before.includes(found))
  })
}

const trimmed = (row: Value[]): Value[] => row.slice(0, row.findLastIndex((cell) => cell !== null) + 1)
const blankGrid = (): Grid => Array.from({ length: 40 }, () => Array.from({ length: 12 }, () => null))

/** Fits the top left corner of `rows` into a grid. */
function laid(rows: Grid): Grid {
  return blankGrid().map((row, index) => row.map((_, column) => rows[index]?.[column] ?? null))
}

async function read(world: CopyWorld, spreadsheetId: string): Promise<Grid> {
  const rows = await world.values(spreadsheetId, 'Shop')
  return laid(rows.map((row) => row.map((cell) => (cell === '' ? null : (cell as Value)))))
}

async function replace(world: CopyWorld, spreadsheetId: string, tab: string, rows: Grid): Promise<void> {
  await world.clear(spreadsheetId, `'${tab}'`)
  await world.write(spreadsheetId, `'${tab}'!A1`, rows.length > 0 ? rows : [[null]])
}

test.each(worlds)(
  'over %s: however source and target change between runs, the target is the source where the task owns it, and untouched elsewhere',
  async (_provider, world) => {
    const room = laid([])
    await fc.assert(
      fc.asyncProperty(sequence, async ({ start_row, chunk_size, excluded, edits, ...first }) => {
        const source_ss_id = await world.spreadsheet({ Products: room })
        const target_ss_id = await world.spreadsheet({ Shop: laid(first.target) })
        const preset = await world.db
          .insertInto('sync_presets')
          .values({ name: source_ss_id, excluded_fields: excluded })
          .returning('id')
          .executeTakeFirstOrThrow()
        const task = await world.task({
          source_ss_id,
          target_ss_id,
          start_row,
          chunk_size,
          sync_preset_id: preset.id,
          // The model does not follow cells to their rows; cells-beside.test.ts does.
          on_cells_beside: 'warn',
        })
        let held = laid(first.target)
        let owned = 0
        let last: Grid | null = null
        for (const { source = first.source, target } of [{ source: first.source, target: [] }, ...edits]) {
          const above = Array.from({ length: start_row - 1 }, (_, row) => source.above[row] ?? [])
          await replace(world, source_ss_id, 'Products', [...above, source.header, ...source.below])
          for (const { row, column, value } of target) {
            held = held.with(row, (held[row] ?? []).with(column, value))
            await world.write(target_ss_id, `Shop!${String.fromCharCode(65 + column)}${row + 1}`, [
              [value ?? ''],
            ])
          }

          const table = projected(source, excluded)
          const columns = Math.max(0, ...table.map((row) => row.length))
          const width = Math.max(columns, owned)
          const ownRows = held.slice(start_row - 1).map((row) => trimmed(row.slice(0, width)))
          const currentRows = ownRows.findLastIndex((row) => row.length > 0) + 1
          const empties = columns === 0 || (table.length === 1 && currentRows > 1)
          const foreign = last !== null && isForeign(held.slice(start_row - 1), last, owned, columns)
          const refused = empties || foreign
          const run = await world.run(task)
          const isWarned =
            run.state === 'warning' && run.log.some((line) => line.includes('beside another row'))
          const state = isWarned ? 'success' : run.state
          expect(state, run.message ?? '').toBe(refused ? 'failed' : 'success')
          if (!refused) {
            held = held.map((row, index) =>
              row.map((cell, column) =>
                index < start_row - 1 || column >= width
                  ? cell
                  : (table[index - start_row + 1]?.[column] ?? null),
              ),
            )
            owned = columns
            last = table
          }
          expect(await read(world, target_ss_id)).toEqual(held)
          expect(await world.tabs(target_ss_id)).toEqual(['Shop'])
          // An immediate second run changes nothing.
          if (!refused) expect((await world.run(task)).requests.write).toBe(0)
        }
      }),
      { numRuns: SEQUENCES, endOnFailure: true },
    )
  },
  SEQUENCES * 120_000,
)
