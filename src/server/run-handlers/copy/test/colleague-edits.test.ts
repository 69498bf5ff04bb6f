import { afterAll, describe, expect, test } from 'vitest'
import { accessToken } from '../../../../../test/fakes/sandbox.ts'
import { EDITS } from '../../../../../test/fixtures/colleague-edits.ts'
import { copyWorld } from '../../../../../test/fixtures/copy-world.ts'
import { COMMIT, editBefore } from '../../../../../test/fixtures/edited-copies.ts'

// Edits by another editor between the last read of the target and the commit.
const world = copyWorld({ proxied: true, commit_bytes: 2_000 })
afterAll(() => world.proxy.reset())

describe.each([
  { what: 'changes a few cells', rows: 6, first: false },
  { what: 'pastes', rows: 60, first: false },
])('a commit that $what loses no cell of another editor when', (scenario) => {
  test.concurrent.each(EDITS)('$what', async (edit) => {
    expect(await editBefore(world, COMMIT, scenario, edit)).toBe(true)
  })
})

const inPieces = copyWorld({ proxied: true, commit_bytes: 2_000, cellsPerRead: 100 })
afterAll(() => inPieces.proxy.reset())
const MOVED = EDITS.filter(({ unseen }) => unseen)

describe.each([
  { what: 'the second piece of it', moment: { path: /A28%3A/ } },
  { what: 'the last piece of it', moment: { path: /A78%3A/ } },
  { what: 'the commit', moment: COMMIT },
  { what: 'the second piece of what is read back', moment: { path: /A28%3A/, nth: 2 } },
  { what: 'the last piece of what is read back', moment: { path: /A78%3A/, nth: 2 } },
])(
  'a copy that is read in pieces loses no cell of another editor when, right before $what,',
  ({ moment }) => {
    test.concurrent.each(MOVED)('$what', async (edit) => {
      expect(await editBefore(inPieces, moment, { rows: 60, first: false }, edit)).toBe(true)
    })
  },
)

test('of a column that is moved into the table at that moment, only the cells that the commit reaches are overwritten', async () => {
  const rows = Array.from({ length: 6 }, (_, row) =>
    ['H0', 'H1', 'H2'].map((name) => (row ? `${name} ${row}` : name)),
  )
  const { source, target, task } = await world.pair(rows)
  await world.run(task)
  await world.write(target, 'Shop!F1', [['Mine'], ['a'], ['b'], ['c'], ['d'], ['e']])
  await world.write(source, 'Products!B3', [['changed']])
  const held = world.proxy.hold({ path: new RegExp(target), ...COMMIT })
  await world.start(task)
  await held.arrived
  const column = { sheetId: 100, dimension: 'COLUMNS', startIndex: 5, endIndex: 6 }
  await world.batch(target, { moveDimension: { source: column, destinationIndex: 1 } })
  await held.deliver()
  const run = await world.ended(task)
  expect([run.state, run.message]).toEqual([
    'failed',
    expect.stringMatching(/columns were inserted, moved or deleted: .*while the target was being written/),
  ])
  expect(await world.values(target, 'Shop!B1:B6')).toEqual([
    ['Mine'],
    ['a'],
    ['changed'],
    ['c'],
    ['d'],
    ['e'],
  ])
  expect((await world.run(task)).message).toMatch(
    /columns were inserted, moved or deleted: .*Nothing was written/,
  )
})

describe('another editor’s change to the staging tab of a run is reported with a message of Rowferry if the tab is', () => {
  const staging = { path: /values:batchUpdate/ }
  const commit = { path: /:batchUpdate/, ...COMMIT }
  const table = Array.from({ length: 60 }, (_, row) => [`name ${row}`, row])
  const text = { userEnteredValue: { stringValue: 'mine' } }
  test.each([
    ['renamed', (sheetId: number) => title(sheetId, 'What is this?')],
    ['deleted', (sheetId: number) => ({ deleteSheet: { sheetId } })],
    [
      'shown',
      (sheetId: number) => ({
        updateSheetProperties: { properties: { sheetId, hidden: false }, fields: 'hidden' },
      }),
    ],
    [
      'shortened',
      (sheetId: number) => ({
        deleteDimension: { range: { sheetId, dimension: 'ROWS', startIndex: 5, endIndex: 30 } },
      }),
    ],
    [
      'written into',
      (sheetId: number) => ({
        updateCells: {
          start: { sheetId, rowIndex: 7 },
          rows: [{ values: [text] }],
          fields: 'userEnteredValue',
        },
      }),
    ],
  ])('%s', async (_what, edit) => {
    for (const moment of [staging, commit]) {
      const { target, task } = await world.pair(table, [['old']])
      const held = world.proxy.hold(moment)
      await world.start(task)
      const id = /temporary (\d+)|"deleteSheet":\{"sheetId":(\d+)/.exec(await held.arrived)
      await world.batch(target, edit(Number(id?.[1] ?? id?.[2])))
      await held.deliver()
      const run = await world.ended(task)
      expect([run.state, run.message]).toEqual(['success', run.message])
      expect(await world.values(target, 'Shop')).toEqual(table)
      expect(await world.tabs(target)).toEqual(['Shop'])
      expect(run.log.join('\n')).not.toMatch(/Google refused|Invalid|parse range|grid/)
    }
  })

  test('gone with its spreadsheet', async () => {
    const { target, task } = await world.pair(table, [['old']])
    const held = world.proxy.hold(commit)
    await world.start(task)
    await held.arrived
    const authorization = `Bearer ${await accessToken(world.root)}`
    await fetch(`${world.root}/drive/v3/files/${target}`, { method: 'DELETE', headers: { authorization } })
    await held.deliver()
    expect(await world.ended(task)).toMatchObject({
      state: 'failed',
      message:
        '‘Web shop’ is gone, or not shared with ada@example.com any more: ask its owner to share it, or choose another account.',
    })
  })
})

const title = (sheetId: number, words: string) => ({
  updateSheetProperties: { properties: { sheetId, title: words }, fields: 'title' },
})
