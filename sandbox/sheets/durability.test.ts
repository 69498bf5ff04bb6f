import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { accessToken, testSandbox } from '../../test/fakes/sandbox.ts'
import { Books } from './books.ts'

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'rowferry-sandbox-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

/** Starts a sandbox process on this data folder; resolves when it listens. */
async function start(dataDir: string): Promise<{ root: string; token: string; child: ChildProcess }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../main.ts')], {
    env: { ...process.env, DATA_DIR: dataDir, SANDBOX_PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  for await (const line of createInterface({ input: child.stdout })) {
    const root = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0]
    if (root) return { root, token: await accessToken(root), child }
  }
  throw new Error('The sandbox ended before it listened')
}

/** Calls a path below /v4/spreadsheets and returns the body. Throws on an error status or if the process has ended. */
function callOf({ root, token }: { root: string; token: string }) {
  return async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`${root}/v4/spreadsheets${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(await response.text())
    return response.json()
  }
}

test('every acknowledged write survives kill -9 during writing, in order and once', async () => {
  const dataDir = folder()
  const first = await start(dataDir)
  const created = await callOf(first)('POST', '', { properties: { title: 'Kept' } })
  const { spreadsheetId } = z.object({ spreadsheetId: z.string() }).parse(created)
  const exited = once(first.child, 'exit')
  let answered = 0
  const write = async () => {
    for (let number = 1; ; number++) {
      const values = [[number, '1/2', `=A${number}+1`]]
      await callOf(first)('PUT', `/${spreadsheetId}/values/A${number}?valueInputOption=USER_ENTERED`, {
        values,
      })
      answered = number
      if (number === 20) setImmediate(() => first.child.kill('SIGKILL'))
    }
  }
  await expect(write()).rejects.toThrow()
  await exited
  const second = await start(dataDir)
  const reply = await callOf(second)('GET', `/${spreadsheetId}/values/Sheet1`)
  const { values } = z.object({ values: z.array(z.array(z.string())) }).parse(reply)
  expect([answered, answered + 1]).toContain(values.length)
  expect(values).toEqual(values.map((_, index) => [`${index + 1}`, '1/2', `${index + 2}`]))
})

test('kill -9 at any moment of a compaction loses nothing', async () => {
  const directory = folder()
  const books = JSON.stringify(join(import.meta.dirname, 'books.ts'))
  const script = `
    const { Books } = await import(${books})
    const books = await Books.open(${JSON.stringify(directory)}, { compactAtBytes: 3000 })
    const [book = books.create({ title: 'Book', owner: 'ada@example.com' })] = books.all()
    for (let row = 0; ; row++) {
      if (book.sheets[0].get(row, 0) !== null) continue
      books.fill(book.id, { sheetId: 0, row, column: 0, rows: [[row]] })
      console.log(row)
      await new Promise(setImmediate)
    }`
  let last = -1
  for (let round = 0; round < 5; round++) {
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const exited = once(child, 'exit')
    const until = last + 23 + round * 7
    for await (const line of createInterface({ input: child.stdout })) {
      last = Math.max(last, Number(line))
      if (last >= until) child.kill('SIGKILL')
    }
    await exited
  }
  const again = await Books.open(directory)
  const [book] = again.all()
  const rows = Array.from({ length: last + 1 }, (_, row) => book?.sheets[0]?.get(row, 0))
  expect(rows).toEqual(rows.map((_, row) => row))
  await again.close()
})

test('an incomplete last journal line, whose change was never acknowledged, is dropped', async () => {
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

test('compaction replaces the journal by complete snapshots', async () => {
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
  const protectedRange = {
    range: { ...range, endRowIndex: 2 },
    description: 'head',
    editors: { users: ['x@example.com'] },
  }
  const line = { sheetId: 0, dimension: 'ROWS', startIndex: 4, endIndex: 5 }
  const layers = [
    {
      mergeCells: {
        range: { ...range, startRowIndex: 7, startColumnIndex: 20, endColumnIndex: 22 },
        mergeType: 'MERGE_ROWS',
      },
    },
    { addProtectedRange: { protectedRange } },
    { addFilterView: { filter: { title: 'V', range } } },
    { updateDimensionProperties: { range: line, properties: { hiddenByUser: true }, fields: '*' } },
    { setDataValidation: { range: { ...range, endColumnIndex: 1 }, rule: { condition: { type: 'BLANK' } } } },
  ]
  books.change(book.id, 'batchUpdate', { requests: layers }, 'ben@example.com')
  books.copySheet(book.id, 0, copy.id)
  books.describe(book.id, { title: 'Renamed' })
  for (let row = 300; row < 400; row++) books.fill(book.id, { sheetId: 0, row, column: 0, rows: [['tail']] })
  await books.close()
  expect(readdirSync(directory).some((name) => name.endsWith('.book'))).toBe(true)
  const again = await Books.open(directory)
  const read = (from: Books) =>
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
        layers: sheet.layers,
        size: [sheet.rowCount, sheet.columnCount],
        cells: Array.from({ length: 400 }, (_, row) =>
          Array.from({ length: 6 }, (_, column) => [sheet.get(row, column), sheet.format(row, column)]),
        ),
      })),
    }))
  expect(read(again)).toEqual(read(books))
  expect([...again.all()].map(({ id }) => id)).toEqual([book.id, copy.id])
  await again.close()
})

test('a request has the same effect after a restart, whatever the formatting of its JSON', async () => {
  const dataDir = folder()
  const first = await testSandbox({ dataDir })
  const created = await callOf({ ...first, token: await accessToken(first.root) })('POST', '', {})
  const { spreadsheetId } = z.object({ spreadsheetId: z.string() }).parse(created)
  const path = `/v4/spreadsheets/${spreadsheetId}`
  const send = async (method: string, rest: string, body: string | Buffer<ArrayBuffer>) => {
    const authorization = `Bearer ${await accessToken(first.root)}`
    const headers = { authorization, 'content-type': 'application/json' }
    const reply = await fetch(`${first.root}${path}${rest}`, { method, headers, body })
    expect(reply.status).toBe(200)
  }
  await send('PUT', '/values/A1?valueInputOption=RAW', '{"values": [["in", "one line"]]}')
  await send('PUT', '/values/A2?valueInputOption=RAW', JSON.stringify({ values: [['in', 'some']] }, null, 2))
  await send(
    'PUT',
    '/values/A3?valueInputOption=RAW',
    '{"values":\r[["a","b"]],\t"values":[["twice","\\u2028\u2028"]]}',
  )
  const notText = Buffer.concat([
    Buffer.from('{"values":[["'),
    Buffer.from([0xff, 0xe2, 0x28]),
    Buffer.from('"]]}'),
  ])
  await send('PUT', '/values/A4?valueInputOption=RAW', notText)
  const cell = { userEnteredValue: { stringValue: 'cell' }, note: '"\n' }
  const start = { rowIndex: 4 }
  const requests = [{ updateCells: { rows: [{ values: [cell] }], start, fields: '*' } }]
  await send('POST', ':batchUpdate', `  ${JSON.stringify({ requests })}\n`)
  const read = async ({ root }: { root: string }) =>
    callOf({ root, token: await accessToken(root) })('GET', `/${spreadsheetId}?includeGridData=true`)
  const before = await read(first)
  await first.app.close()
  const again = await testSandbox({ dataDir })
  expect(await read(again)).toEqual(before)
  expect(JSON.stringify(before)).toContain('twice')
})
