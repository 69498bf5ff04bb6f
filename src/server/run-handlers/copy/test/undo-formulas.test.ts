import { expect, test } from 'vitest'
import { copyWorld } from '../../../../../test/fixtures/copy-world.ts'
import type { Previewed } from '../../../../../test/fixtures/previewed.ts'

// Small commits, so that a table of a few thousand rows is staged.
const world = copyWorld({ commit_bytes: 300_000 })

const rows = [
  ['SKU', 'Price', 'Note'],
  ['A', 1, 'one'],
  ['B', 2, '=text'],
  ['C', 3, 'three'],
]

const type = (spreadsheetId: string, range: string, values: string[][]) =>
  world.api.spreadsheets.values.update({
    spreadsheetId,
    range,
    valueInputOption: 'USER_ENTERED',
    requestBody: { values },
  })

/** What was entered into the cells of the first rows, formulas as { formula }. */
async function entered(spreadsheetId: string, last: number): Promise<unknown[][]> {
  const { data } = await world.api.spreadsheets.get({
    spreadsheetId,
    ranges: [`Shop!A1:C${last}`],
    fields: 'sheets(data(rowData(values(userEnteredValue))))',
  })
  return (data.sheets?.[0]?.data?.[0]?.rowData ?? []).map(({ values = [] }) =>
    values.map(({ userEnteredValue: value }) =>
      value?.formulaValue
        ? { formula: value.formulaValue }
        : (value?.stringValue ?? value?.numberValue ?? null),
    ),
  )
}

async function apply(task: number, { plan_id, message }: Previewed) {
  expect(plan_id, message).not.toBeNull()
  const run = await world.run(task, { plan: plan_id })
  expect(run.state, run.message).toBe('success')
  return run
}

test('formulas that a run replaced come back as formulas, and texts that look like one as texts', async () => {
  const { source, target, task } = await world.pair(rows)
  await world.run(task)
  await type(target, 'Shop!B2:C2', [['=1+1', '=B2&"!"']])
  await type(target, 'Shop!A3', [['="B"&""']])
  const before = await entered(target, 4)
  await world.write(source, 'Products!B4', [[30]])
  await world.run(task)
  expect(await entered(target, 4)).toEqual([rows[0], rows[1], rows[2], ['C', 30, 'three']])
  const undo = await world.undo(task)
  expect(undo.plan?.summary.lines.map(({ text }) => text)).toContain('3 formulas written back as formulas')
  await apply(task, undo)
  expect(await entered(target, 4)).toEqual(before)
  await apply(task, await world.undo(task))
  expect(await entered(target, 4)).toEqual([rows[0], rows[1], rows[2], ['C', 30, 'three']])
  await apply(task, await world.undo(task))
  expect(await entered(target, 4)).toEqual(before)
})

test('a formula that was entered since is kept as a formula', async () => {
  const { source, target, task } = await world.pair(rows)
  await world.run(task)
  await world.write(source, 'Products!B4', [[30]])
  await world.run(task)
  await type(target, 'Shop!B2', [['=1+1']])
  const undo = await world.undo(task)
  expect(undo.plan?.restores?.kept).toEqual({ cells: 1, addresses: ['B2'] })
  await apply(task, undo)
  expect(await entered(target, 4)).toEqual([rows[0], ['A', { formula: '=1+1' }, 'one'], rows[2], rows[3]])
})

test('formulas come back with a table that is staged', async () => {
  const table = Array.from({ length: 4_000 }, (_, row) => [`SKU ${row}`, row, `Note ${row}`.repeat(10)])
  const { source, target, task } = await world.pair(table)
  await world.run(task)
  await type(target, 'Shop!B4000', [['=4+4']])
  await type(target, 'Shop!B2', [['=2+2']])
  await world.write(
    source,
    'Products!C1',
    table.map(([, , note]) => [`${note}!`]),
  )
  expect(await world.run(task)).toMatchObject({ receipt: { mode: 'staged' } })
  const run = await apply(task, await world.undo(task))
  expect(run.receipt?.mode).toBe('staged')
  expect((await entered(target, 2))[1]).toEqual(['SKU 1', { formula: '=2+2' }, table[1]?.[2]])
  expect((await world.values(target, 'Shop!B4000'))[0]).toEqual([8])
  expect(await world.values(target, 'Shop!C1:C4000')).toEqual(table.map(([, , note]) => [note]))
})

test('number formats come back as the last run knew them', async () => {
  const { source, target, task } = await world.pair(rows)
  const money = { type: 'CURRENCY', pattern: '"€"0.00' }
  const percent = { type: 'PERCENT', pattern: '0%' }
  const format = async () => (await world.entered(target, 'Shop'))[1]?.userEnteredFormat?.numberFormat
  await world.setFormats(source, [undefined, money])
  await world.run(task)
  expect(await format()).toEqual(money)
  await world.setFormats(source, [undefined, percent])
  await world.run(task)
  expect(await format()).toEqual(percent)
  await apply(task, await world.undo(task))
  expect(await format()).toEqual(money)
})
