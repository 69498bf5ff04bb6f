import { beforeAll, beforeEach, expect, test } from 'vitest'
import { testApp } from '../../test/fixtures/app.ts'
import { copyWorld } from '../../test/fixtures/copy-world.ts'
import { aToken } from '../../test/fixtures/tokens.ts'
import { commandLine } from '../../test/processes/command-line.ts'

const world = copyWorld()
let env: { ROWFERRY_URL: string; ROWFERRY_TOKEN: string }
beforeAll(async () => {
  const { app, signIn } = await testApp({ database: world.database, handlers: world.handlers })
  const ROWFERRY_TOKEN = await aToken(await signIn(), 'run')
  env = { ROWFERRY_URL: await app.listen({ host: '127.0.0.1', port: 0 }), ROWFERRY_TOKEN }
})
beforeEach(() => world.faults())

const header = ['SKU', 'Name', 'Stock']

/** A task whose second run has changed, added, removed and moved a row. */
async function changedTwice() {
  const table = [header, ['A', 'Apple', 1], ['B', 'Pear', 2], ['C', 'Plum', 3], ['D', 'Fig', 4]]
  const { source, task } = await world.pair(table)
  await world.run(task)
  await world.clear(source, 'Products')
  await world.write(source, 'Products', [header, ['A', 'Apple', 9], ['C', 'Plum', 3], ['N', 'New', 7]])
  const { id } = await world.run(task)
  return { task, id }
}

const lines = (out: string) => out.trimEnd().split('\n')

test('the cells that a past run changed are printed page by page, by kind and by text', async () => {
  const { id } = await changedTwice()
  const { run } = await commandLine()
  const shell = async (line: string | string[]) => lines((await run(line, { env })).out)
  expect((await shell(`plan ${id}`)).slice(0, 2)).toEqual([
    expect.stringMatching(new RegExp(`^Run ${id} of .* changed in .*Shop.*:$`)),
    '! 2 of 4 rows removed',
  ])
  expect(await shell(`plan ${id} --rows`)).toEqual([
    'CHANGE   ROW    CELL     BEFORE  AFTER',
    'Changed  2      C Stock  1       9',
    'Removed  3      A SKU    B',
    '                B Name   Pear',
    '                C Stock  2',
    'Moved    4 → 3  A SKU    C       C',
    'Added    4      A SKU            N',
    '                B Name           New',
    '                C Stock          7',
    'Removed  5      A SKU    D',
    '                B Name   Fig',
    '                C Stock  4',
    '5 of 5 rows',
  ])
  expect(await shell(`plan ${id} --rows --kind removed --limit 1`)).toEqual([
    expect.stringMatching(/^CHANGE/),
    'Removed  3    A SKU    B',
    expect.stringMatching(/Pear/),
    expect.stringMatching(/2/),
    '1 of 2 rows',
    'Next page: --after 2',
  ])
  expect((await shell(`plan ${id} --rows --kind removed --limit 1 --after 2`)).at(-1)).toBe('1 of 2 rows')
  expect(await shell(['plan', String(id), '--rows', '--search', 'plum'])).toEqual([
    expect.stringMatching(/^CHANGE/),
    'Moved   4 → 3  A SKU  C       C',
    '1 of 1 row',
  ])
  expect(await shell(`plan ${id} --rows --search nowhere`)).toEqual(['No row matches', '0 of 0 rows'])
})

test('a plan is found by its hash, too, and --json prints the page of the API', async () => {
  const { id } = await changedTwice()
  const { run } = await commandLine()
  const { hash } = JSON.parse((await run(`plan ${id} --json`, { env })).out)
  const { exit, out } = await run(`plan ${hash} --rows --kind added --json`, { env })
  expect([exit, JSON.parse(out)]).toMatchObject([
    0,
    { rows: [{ kind: 'added', new_row: 4, new_cells: ['N', 'New', 7] }], total: 1, next: null },
  ])
})

test.each([
  ['plan', 2, 'RUN is missing'],
  ['plan x1', 2, 'RUN is the number of a run, or the hash of a plan, not x1.'],
  ['plan 7 --kind removed', 2, '--kind needs --rows'],
  ['plan 7 --rows --kind gone', 2, 'gone is none of removed, changed, added, moved'],
  ['plan 7 --rows --limit 0', 2, '--limit takes a whole number'],
  ['plan 99999999 --rows', 5, 'Run not found'],
])('%s is refused', async (line, exit, reason) => {
  const { run } = await commandLine()
  expect(await run(line, { env })).toMatchObject({ exit, err: expect.stringContaining(reason), out: '' })
})
