import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { readBook, storeBook } from '../../../../../test/fakes/workbook-folder/book.ts'
import { changeTo, fileReference, targetContext, write } from '../../../../../test/fixtures/file-target.ts'
import { startNode } from '../../../../../test/processes/processes.ts'

const old = Array.from({ length: 60 }, (_, row) => [`old ${row}`, row, true])
let root = ''

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'killed-writes-'))
})
afterAll(() => rmSync(root, { recursive: true }))

/** Writes a workbook in a process that is killed before an operation on files (counted from 1; 0: none). */
async function writeUntil(folder: string, kill_at: number, states: string) {
  await storeBook(join(folder, 'book.xlsx'), [{ id: 1, name: 'Shop', rows: old, formats: new Map() }])
  const child = startNode([
    'test/processes/write-file-process.ts',
    ...[folder, 'Out/book.xlsx', String(kill_at), states],
  ])
  return { ending: await child.ended, output: child.output() }
}

/** Says which of the two tables the workbook holds as a whole, and that the next run writes it and leaves nothing behind. */
async function stateOf(folder: string): Promise<'old' | 'new'> {
  const path = join(folder, 'book.xlsx')
  const rows = (await readBook(path, 'Shop'))[0]?.rows ?? []
  const state = rows[0]?.[0] === 'new 0' ? 'new' : 'old'
  expect(rows).toHaveLength(state === 'new' ? 40 : 60)
  expect(rows.every(([first]) => String(first).startsWith(state))).toBe(true)
  const folders = [{ name: 'Out', path: folder, writable: true }]
  await write(folders, fileReference('Out/book.xlsx'), changeTo([['after', 1, 1]]), targetContext(1))
  expect((await readBook(path, 'Shop'))[0]?.rows).toEqual([['after', 1, 1]])
  expect(readdirSync(folder)).toEqual(['book.xlsx'])
  return state
}

test('a worker that is killed before any operation on files leaves the old or the new workbook, and the next one writes it', async () => {
  const states = join(root, 'states')
  mkdirSync(states)
  const unharmed = await writeUntil(mkdtempSync(join(root, 'whole-')), 0, states)
  const operations = z.array(z.string()).parse(JSON.parse(unharmed.output))
  expect(operations).toEqual(expect.arrayContaining(['writeFile', 'sync', 'rename', 'chmod', 'rm']))

  // Each state of the folder is that before an operation: what a process that is killed then leaves.
  const renamed = operations.lastIndexOf('rename')
  expect(readdirSync(states)).toHaveLength(operations.length)
  // The child process that writes the copy ends with its parent, so that the copy ends anywhere.
  const complete = join(states, String(operations.indexOf('chmod') + 1))
  const part = readdirSync(complete).find((name) => name.startsWith('.rowferry-part-')) ?? ''
  const { size } = statSync(join(complete, part))
  for (const bytes of [0, 1, size >> 1, size - 1]) {
    const folder = join(root, `cut at ${bytes}`)
    cpSync(complete, folder, { recursive: true })
    truncateSync(join(folder, part), bytes)
    expect([bytes, await stateOf(folder)]).toEqual([bytes, 'old'])
  }

  for (const n of operations.keys())
    expect([n, operations[n], await stateOf(join(states, String(n + 1)))]).toEqual([
      n,
      operations[n],
      n <= renamed ? 'old' : 'new',
    ])

  for (const [n, expected] of [
    [operations.indexOf('chmod'), 'old'],
    [renamed, 'old'],
    [renamed + 1, 'new'],
  ] as const) {
    const folder = mkdtempSync(join(root, 'killed-'))
    expect((await writeUntil(folder, n + 1, '')).ending.signal).toBe('SIGKILL')
    expect(await stateOf(folder)).toBe(expected)
  }
})
