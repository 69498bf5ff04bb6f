import { describe, expect, test } from 'vitest'
import { copyWorld } from '../../../../../test/fixtures/copy-world.ts'

const world = copyWorld()

const table = [
  ['SKU', 'Price', 'Note'],
  ['A', 1, '=1+1'],
  ['B', 2, 'plain'],
  ['C', 3, '=x'],
]

const type = (spreadsheetId: string, range: string, values: string[][]) =>
  world.api.spreadsheets.values.update({
    spreadsheetId,
    range,
    valueInputOption: 'USER_ENTERED',
    requestBody: { values },
  })

/** The user-entered values of the target's cells. */
async function entered(spreadsheetId: string) {
  const { data } = await world.api.spreadsheets.get({
    spreadsheetId,
    ranges: ['Shop!A1:C4'],
    fields: 'sheets(data(rowData(values(userEnteredValue))))',
  })
  const rows = data.sheets?.[0]?.data?.[0]?.rowData ?? []
  return rows.flatMap(({ values = [] }) => values.map((cell) => cell.userEnteredValue?.formulaValue ?? null))
}

describe('a formula that another editor entered into an owned cell', () => {
  test.each([
    ['comes to the right value', 'Shop!B2', '=2-1'],
    ['reads like the text that belongs there', 'Shop!C2', '=1+1'],
    ['reads like that text and comes to an error', 'Shop!C4', '=x'],
  ])('and that %s is replaced by the value in one commit', async (_what, cell, formula) => {
    const { target, task } = await world.pair(table)
    await world.run(task)
    await type(target, cell, [[formula]])
    expect((await entered(target)).filter((each) => each !== null)).toEqual([formula])
    const run = await world.run(task)
    expect(run).toMatchObject({ state: 'success', receipt: { mode: 'small', cells_changed: 1 } })
    expect(run.log.filter((line) => line.includes('Writing again'))).toEqual([])
    expect((await entered(target)).filter((each) => each !== null)).toEqual([])
    expect(await world.values(target, 'Shop')).toEqual(table)
  })

  test('is replaced by a staged commit as well', async () => {
    const rows = Array.from({ length: 9_000 }, (_, row) =>
      Array.from({ length: 6 }, (_, column) => (column === 0 ? `=${row}` : `${row}/${column}`)),
    )
    const { source, target, task } = await world.pair(rows)
    await world.run(task)
    await type(target, 'Shop!A2', [['=1']])
    await type(target, 'Shop!A8999', [['=8998']])
    const changed = rows.map((row) => row.map((cell, column) => (column === 0 ? cell : `${cell}!`)))
    await world.write(source, 'Products!A1', changed)
    expect(await world.run(task)).toMatchObject({ state: 'success', receipt: { mode: 'staged' } })
    expect((await entered(target)).filter((each) => each !== null)).toEqual([])
    expect(await world.values(target, 'Shop')).toEqual(changed)
  })

  test('outside the owned columns stays a formula', async () => {
    const { target, task } = await world.pair(table)
    await world.run(task)
    await type(target, 'Shop!E2', [['=B2*2']])
    await world.run(task)
    expect((await world.values(target, 'Shop!E2'))[0]).toEqual([2])
  })
})

test('texts that begin with "=" stay texts, and cost one read but no write', async () => {
  const { task } = await world.pair(table)
  await world.run(task)
  expect(await world.run(task)).toMatchObject({ state: 'success', requests: { write: 0 } })
})
