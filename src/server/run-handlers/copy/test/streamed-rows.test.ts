import { expect, test } from 'vitest'
import { CachedRows } from '../read/cached-rows.ts'
import { StreamedRows } from '../read/streamed-rows.ts'

const header = ['a', 'b']

/** A read with the given number of data rows, of which some are cached. */
function reading(rows: number, kept = rows) {
  const at_hand = new CachedRows()
  for (let row = 1; row <= kept; row += 1) at_hand.add(Buffer.from(`["${row}"]`))
  return { header, kept: at_hand, rows: rows + 1, columns: 2, filled: rows + 2 }
}

async function taken(streamed: StreamedRows): Promise<{ rows: number[]; cells: number }> {
  const all = { rows: [] as number[], cells: 0 }
  for await (const { rows, cells } of streamed.pages()) {
    all.rows.push(...rows.map(({ row }) => row))
    all.cells += cells
  }
  return all
}

const upTo = (last: number) => Array.from({ length: last + 1 }, (_, row) => row)

test('rows are passed on as they are published, header row first, and the end is known', async () => {
  const streamed = new StreamedRows({ rows: 5_000, columns: 2 })
  const all = taken(streamed)
  streamed.grow(reading(10))
  await Promise.resolve()
  streamed.grow(reading(2_500))
  streamed.complete()
  expect(await all).toEqual({ rows: upTo(2_500), cells: 2_502 })
  expect(streamed.isWhole).toBe(true)
})

test('rows that are not cached are not passed on, and the table is not whole', async () => {
  const streamed = new StreamedRows({ rows: 5_000, columns: 2 })
  streamed.grow(reading(2_500, 1_700))
  streamed.complete()
  expect((await taken(streamed)).rows).toEqual(upTo(1_700))
  expect(streamed.isWhole).toBe(false)
})

test('none are passed on after it is closed', async () => {
  const streamed = new StreamedRows({ rows: 5_000, columns: 2 })
  const pages = streamed.pages()
  streamed.grow(reading(2_500))
  await pages.next()
  streamed.close()
  expect((await pages.next()).done).toBe(true)
  expect(streamed.isWhole).toBe(false)
})
