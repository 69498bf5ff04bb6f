import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { accessToken } from '../../test/sandbox.ts'
import { Books } from './books.ts'

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'rowferry-sandbox-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

/** A sandbox process of its own on that data; resolves once it listens. */
async function start(dataDir: string): Promise<{ root: string; child: ChildProcess }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../main.ts')], {
    env: { ...process.env, DATA_DIR: dataDir, SANDBOX_PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  for await (const line of createInterface({ input: child.stdout })) {
    const root = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0]
    if (root) return { root, child }
  }
  throw new Error('The sandbox ended before it listened')
}

test('a write that was answered with 200 is there after kill -9, in order and once', async () => {
  const dataDir = folder()
  const first = await start(dataDir)
  const headers = async (root: string) => ({
    authorization: `Bearer ${await accessToken(root)}`,
    'content-type': 'application/json',
  })
  const post = async (path: string, body: object) => {
    const init = { method: 'POST', headers: await headers(first.root), body: JSON.stringify(body) }
    const response = await fetch(`${first.root}/v4/spreadsheets${path}`, init)
    return (await response.json()) as Record<string, string>
  }
  const { spreadsheetId = '' } = await post('', { properties: { title: 'Kept' } })
  for (let number = 1; number <= 20; number++) {
    await post(`/${spreadsheetId}/values/A1:append?valueInputOption=USER_ENTERED`, {
      values: [[number, '1/2', '=A1+1']],
    })
  }
  await post(`/${spreadsheetId}:batchUpdate`, { requests: [{ addSheet: { properties: { title: 'Two' } } }] })
  const read = async (root: string) => {
    const init = { headers: await headers(root) }
    const values = await fetch(`${root}/v4/spreadsheets/${spreadsheetId}/values/Sheet1`, init)
    const tabs = await fetch(`${root}/v4/spreadsheets/${spreadsheetId}?fields=sheets.properties`, init)
    return [await values.json(), await tabs.json()]
  }
  const before = await read(first.root)
  first.child.kill('SIGKILL')
  await once(first.child, 'exit')
  const second = await start(dataDir)
  expect(await read(second.root)).toEqual(before)
})

test('a torn last line of the journal, whose change nobody was told of, is dropped', async () => {
  const directory = folder()
  const books = await Books.open(directory)
  const { id } = books.create({ title: 'Book', owner: 'ada@example.com' })
  books.fill(id, { sheetId: 0, row: 0, column: 0, rows: [['kept']] })
  await books.close()
  appendFileSync(join(directory, 'journal-1'), '{"id":"torn')
  const again = await Books.open(directory)
  expect(again.get(id)?.sheets[0]?.get(0, 0)).toBe('kept')
  again.fill(id, { sheetId: 0, row: 1, column: 0, rows: [['more']] })
  await again.close()
  const third = await Books.open(directory)
  expect(third.get(id)?.sheets[0]?.get(1, 0)).toBe('more')
  await third.close()
})

test('compaction replaces the journal by snapshots that hold everything', async () => {
  const directory = folder()
  const books = await Books.open(directory, { compactAtBytes: 20_000 })
  const book = books.create({ title: 'Book', owner: 'ada@example.com', readers: ['anyone'] })
  const gone = books.create({ title: 'Gone', owner: 'ada@example.com' })
  const copy = books.copy(book.id, 'Copy', 'ben@example.com')
  books.delete(gone.id)
  const percent = { numberFormat: { type: 'PERCENT', pattern: '0%' } } as const
  for (let row = 0; row < 300; row++) {
    const cells = [
      `row ${row}`,
      row,
      true,
      { formula: `=B${row + 1}*2` },
      { error: '#N/A' },
      { value: 0.5, format: percent },
    ] as const
    books.fill(book.id, { sheetId: 0, row, column: 0, rows: [[...cells]] })
    if (row % 50 === 0) await books.flush()
  }
  const range = { sheetId: 0, startRowIndex: 0, endRowIndex: 9 }
  books.change(book.id, 'batchUpdate', {
    requests: [
      { addNamedRange: { namedRange: { name: 'Top', range } } },
      { setBasicFilter: { filter: { range } } },
      {
        updateSheetProperties: {
          properties: { sheetId: 0, gridProperties: { frozenRowCount: 1 } },
          fields: 'gridProperties.frozenRowCount',
        },
      },
    ],
  })
  books.describe(book.id, { title: 'Renamed' })
  for (let row = 300; row < 400; row++) books.fill(book.id, { sheetId: 0, row, column: 0, rows: [['tail']] })
  await books.close()
  expect(readdirSync(directory).some((name) => name.endsWith('.book'))).toBe(true)
  const again = await Books.open(directory)
  const look = (from: Books) =>
    [...from.all()].map(({ id, title, owner, readers, createdTime, modifiedTime, namedRanges, sheets }) => ({
      id,
      title,
      owner,
      readers,
      createdTime,
      modifiedTime,
      namedRanges,
      sheets: sheets.map((sheet) => ({
        id: sheet.id,
        properties: sheet.properties,
        filter: sheet.basicFilter,
        size: [sheet.rowCount, sheet.columnCount],
        cells: Array.from({ length: 400 }, (_, row) =>
          Array.from({ length: 6 }, (_, column) => [sheet.get(row, column), sheet.format(row, column)]),
        ),
      })),
    }))
  expect(look(again)).toEqual(look(books))
  expect([...again.all()].map(({ id }) => id)).toEqual([book.id, copy.id])
  await again.close()
})
