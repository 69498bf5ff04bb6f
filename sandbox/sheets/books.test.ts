import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import { GoogleError } from '../google-error.ts'
import { Books } from './books.ts'
import type { Book } from './model/book.ts'

const SIZE = 6

type Table = (string | null)[][]

/** A batchUpdate request and its effect on a plain table; null if it must be refused. */
interface Step {
  readonly request: object
  readonly apply: (table: Table) => Table | null
}

const index = fc.nat(SIZE + 1)
const range = (dimension: string, startIndex: number, endIndex: number) => ({
  sheetId: 0,
  dimension,
  startIndex,
  endIndex,
})
const width = (table: Table) => table[0]?.length ?? 0

const putStep = fc
  .tuple(index, index, fc.constantFrom('a', 'b', 'c', ''))
  .map(([row, column, text]): Step => {
    const values = [{ userEnteredValue: { stringValue: text } }]
    const start = { sheetId: 0, rowIndex: row, columnIndex: column }
    return {
      request: { updateCells: { start, rows: [{ values }], fields: 'userEnteredValue' } },
      apply: (table) =>
        row < table.length && column < width(table)
          ? table.map((cells, y) => cells.map((cell, x) => (y === row && x === column ? text || null : cell)))
          : null,
    }
  })

const insertStep = fc.tuple(index, fc.integer({ min: 1, max: 2 }), fc.boolean()).map(
  ([at, count, rows]): Step => ({
    request: { insertDimension: { range: range(rows ? 'ROWS' : 'COLUMNS', at, at + count) } },
    apply: (table) => {
      if (at >= (rows ? table.length : width(table))) return null
      if (!rows) return table.map((cells) => cells.toSpliced(at, 0, ...new Array<null>(count).fill(null)))
      const blank = Array.from({ length: count }, () => new Array<null>(width(table)).fill(null))
      return table.toSpliced(at, 0, ...blank)
    },
  }),
)

const deleteStep = fc.tuple(index, fc.integer({ min: 1, max: 3 }), fc.boolean()).map(
  ([at, count, rows]): Step => ({
    request: { deleteDimension: { range: range(rows ? 'ROWS' : 'COLUMNS', at, at + count) } },
    apply: (table) => {
      const size = rows ? table.length : width(table)
      if (at + count > size || count === size) return null
      return rows ? table.toSpliced(at, count) : table.map((cells) => cells.toSpliced(at, count))
    },
  }),
)

const resizeStep = fc.tuple(index, index).map(([rowCount, columnCount]): Step => {
  const gridProperties = { rowCount, columnCount }
  const fields = 'gridProperties.rowCount,gridProperties.columnCount'
  return {
    request: { updateSheetProperties: { properties: { sheetId: 0, gridProperties }, fields } },
    apply: (table) =>
      rowCount === 0 || columnCount === 0
        ? null
        : Array.from({ length: rowCount }, (_, y) =>
            Array.from({ length: columnCount }, (_, x) => table[y]?.[x] ?? null),
          ),
  }
})

const pasteStep = fc.tuple(fc.nat(2), fc.nat(2), fc.nat(SIZE), fc.nat(SIZE)).map(
  ([height, wide, row, column]): Step => ({
    request: {
      copyPaste: {
        source: {
          sheetId: 0,
          startRowIndex: 0,
          endRowIndex: height + 1,
          startColumnIndex: 0,
          endColumnIndex: wide + 1,
        },
        destination: {
          sheetId: 0,
          startRowIndex: row,
          endRowIndex: row + 1,
          startColumnIndex: column,
          endColumnIndex: column + 1,
        },
        pasteType: 'PASTE_VALUES',
      },
    },
    apply: (table) => {
      const fits = row + height < table.length && column + wide < width(table)
      if (!fits || height >= table.length || wide >= width(table)) return null
      return table.map((cells, y) =>
        cells.map((cell, x) => {
          const inside = y >= row && y <= row + height && x >= column && x <= column + wide
          return inside ? (table[y - row]?.[x - column] ?? null) : cell
        }),
      )
    },
  }),
)

const batches = fc.array(
  fc.array(fc.oneof(putStep, insertStep, deleteStep, resizeStep, pasteStep), { minLength: 1, maxLength: 4 }),
  { maxLength: 12 },
)

test('batches change a grid like a plain table, atomically, also after a restart', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rowferry-books-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  let number = 0
  const check = async (wanted: Step[][]) => {
    const directory = join(folder, String(number++))
    const books = await Books.open(directory, { compactAtBytes: 1500 })
    const sheets = [{ title: 'Sheet1', rowCount: SIZE, columnCount: SIZE, rows: [['x', 'y'], ['z']] }]
    const book = books.create({ title: 'Book', owner: 'ada@example.com', sheets })
    let table = tableOf(book)
    for (const batch of wanted) {
      const after = batch.reduce<Table | null>((before, step) => before && step.apply(before), table)
      const refused = change(books, book, batch)
      expect(refused).toBe(after === null)
      table = after ?? table
      expect(tableOf(book)).toEqual(table)
    }
    await books.close()
    const again = await Books.open(directory)
    const restored = again.get(book.id)
    expect(restored && tableOf(restored)).toEqual(table)
    await again.close()
  }
  await fc.assert(fc.asyncProperty(batches, check), { numRuns: 60, endOnFailure: true })
})

function change(books: Books, book: Book, batch: readonly Step[]): boolean {
  try {
    books.change(book.id, 'batchUpdate', { requests: batch.map(({ request }) => request) })
    return false
  } catch (error) {
    if (error instanceof GoogleError) return true
    throw error
  }
}

function tableOf(book: Book): Table {
  const [sheet] = book.sheets
  if (!sheet) throw new Error('no tab')
  return Array.from({ length: sheet.rowCount }, (_, row) =>
    Array.from({ length: sheet.columnCount }, (_, column) => {
      const cell = sheet.get(row, column)
      return cell === null ? null : String(cell)
    }),
  )
}

test('an inserted row moves the rows below it for the rest of the batch', async () => {
  const books = await Books.open(null)
  const sheets = [{ title: 'Sheet1', rowCount: 2, columnCount: 1, rows: [['x'], ['y']] }]
  const book = books.create({ title: 'Book', owner: 'ada@example.com', sheets })
  const insert = (dimension: string) => ({ insertDimension: { range: range(dimension, 0, 1) } })
  const requests = [insert('COLUMNS'), insert('ROWS'), insert('COLUMNS')]
  books.change(book.id, 'batchUpdate', { requests })
  expect(tableOf(book)).toEqual([
    [null, null, null],
    [null, null, 'x'],
    [null, null, 'y'],
  ])
})

test('a reader sees the state at its start while others write', async () => {
  const books = await Books.open(null)
  const book = books.create({ title: 'Book', owner: 'ada@example.com' })
  books.fill(book.id, { sheetId: 0, row: 0, column: 0, rows: [['before']] })
  const [before] = book.sheets
  books.fill(book.id, { sheetId: 0, row: 0, column: 0, rows: [['after']] })
  expect([before?.get(0, 0), book.sheets[0]?.get(0, 0)]).toEqual(['before', 'after'])
})

test('a copied spreadsheet is independent of the original', async () => {
  const books = await Books.open(null)
  const book = books.create({
    title: 'Book',
    owner: 'ada@example.com',
    sheets: [{ title: 'S', rows: [['one']] }],
  })
  const copy = books.copy(book.id, 'Copy', 'ben@example.com')
  books.fill(book.id, { sheetId: 0, row: 0, column: 0, rows: [['two']] })
  expect(copy.sheets[0]?.get(0, 0)).toBe('one')
  expect([copy.canRead('ben@example.com'), copy.canRead('ada@example.com')]).toEqual([true, false])
})

test('the journal is compacted after three seconds without requests', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rowferry-books-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const books = await Books.open(folder, { compactAtBytes: 1_000 })
  onTestFinished(() => books.close())
  const book = books.create({ title: 'Book', owner: 'ada@example.com' })
  books.fill(book.id, { sheetId: 0, row: 0, column: 0, rows: [['x'.repeat(2_000)]] })
  const hasBegun = () => existsSync(join(folder, 'journal-2'))
  for (let second = 0; second < 10; second += 1) {
    vi.advanceTimersByTime(2_000)
    expect(hasBegun()).toBe(false)
    books.get(book.id)
  }
  vi.advanceTimersByTime(3_000)
  expect(hasBegun()).toBe(true)
})
