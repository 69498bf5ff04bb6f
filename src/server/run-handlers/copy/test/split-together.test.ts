import { afterAll, describe, expect, test } from 'vitest'
import { copyWorld } from '../../../../../test/fixtures/copy-world.ts'
import { COMMIT } from '../../../../../test/fixtures/edited-copies.ts'
import { splitServerMessages as messages } from '../../../../contract/sync-tasks/server-messages.ts'

const world = copyWorld({ proxied: true })
afterAll(() => world.proxy.reset())

/** Too small for the changes of two tabs. */
const narrow = copyWorld({ commit_bytes: 2_000 })

const header = ['SKU', 'Country', 'Stock']
const values = ['DE', 'FR', 'IT']
const table = (stock: number) => [
  header,
  ...values.flatMap((value) => [1, 2, 3].map((n) => [`${value}-${n}`, value, stock])),
]
const rowsOf = (value: string, stock: number) => [
  header,
  ...[1, 2, 3].map((n) => [`${value}-${n}`, value, stock]),
]

async function tabIds(target: string): Promise<Map<string, number>> {
  const { data } = await world.api.spreadsheets.get({ spreadsheetId: target })
  return new Map(
    data.sheets?.map(({ properties }) => [properties?.title ?? '', properties?.sheetId ?? 0] as const),
  )
}

/** A task whose tabs have been written, and whose source has changed since. */
async function changed() {
  const { source, target, task } = await world.pair(table(1), [], { split_by: 'Country' })
  await world.run(task)
  await world.write(source, 'Products', table(2))
  return { target, task }
}

const held = (target: string, nth = 1) => world.proxy.hold({ path: new RegExp(target), ...COMMIT, nth })

test('no tab shows new rows before all of them do', async () => {
  const { target, task } = await changed()
  const commit = held(target)
  await world.start(task)
  const body = await commit.arrived
  expect(body.match(/"deleteSheet"/g)).toHaveLength(1)
  for (const value of values) expect(await world.values(target, value)).toEqual(rowsOf(value, 1))
  await commit.deliver()
  const ended = await world.ended(task)
  expect([ended.state, ended.message, ended.requests.write]).toEqual(['success', messages.done(3, 3), 2])
  for (const value of values) expect(await world.values(target, value)).toEqual(rowsOf(value, 2))
  expect(await world.tabs(target)).toEqual(['Shop', ...values])
})

describe('a commit of several tabs right before which another editor', () => {
  test('inserts a row into one of them is refused as a whole, and made again', async () => {
    const { target, task } = await changed()
    const commit = held(target)
    await world.start(task)
    await commit.arrived
    const sheetId = (await tabIds(target)).get('FR') ?? 0
    await world.batch(target, {
      insertDimension: {
        range: { sheetId, dimension: 'ROWS', startIndex: 2, endIndex: 3 },
        inheritFromBefore: false,
      },
    })
    await commit.deliver()
    const ended = await world.ended(task)
    expect([ended.state, ended.message]).toEqual(['success', messages.done(3, 3)])
    expect(ended.log.join('\n')).toContain('Opening the spreadsheets again.')
    for (const value of values) expect(await world.values(target, value)).toEqual(rowsOf(value, 2))
  })

  test('deletes one of them changes none, and creates it again', async () => {
    const { target, task } = await changed()
    const commit = held(target)
    await world.start(task)
    await commit.arrived
    const sheetId = (await tabIds(target)).get('IT') ?? 0
    await world.batch(target, { deleteSheet: { sheetId } })
    await commit.deliver()
    const ended = await world.ended(task)
    expect(ended.state, ended.message).not.toBe('failed')
    for (const value of values) expect(await world.values(target, value)).toEqual(rowsOf(value, 2))
  })

  test('moves a column of one of them warns of that tab alone', async () => {
    const { target, task } = await changed()
    const commit = held(target)
    await world.start(task)
    await commit.arrived
    const sheetId = (await tabIds(target)).get('FR') ?? 0
    const source = { sheetId, dimension: 'COLUMNS', startIndex: 2, endIndex: 3 }
    await world.batch(target, { moveDimension: { source, destinationIndex: 0 } })
    await commit.deliver()
    const ended = await world.ended(task)
    expect(ended.log.filter((line) => line.startsWith('WARNING')).join('\n')).toContain('‘FR’')
    expect(ended.log.filter((line) => line.startsWith('WARNING')).join('\n')).not.toContain('‘DE’')
    expect(await world.values(target, 'DE')).toEqual(rowsOf('DE', 2))
  })

  test('merges cells that it proves is made tab by tab', async () => {
    const { target, task } = await changed()
    const sheetId = (await tabIds(target)).get('FR') ?? 0
    const range = { sheetId, startRowIndex: 0, endRowIndex: 1, startColumnIndex: 2, endColumnIndex: 4 }
    await world.batch(
      target,
      { appendDimension: { sheetId, dimension: 'COLUMNS', length: 2 } },
      { mergeCells: { range, mergeType: 'MERGE_ALL' } },
    )
    const ended = await world.run(task)
    expect(ended.state, ended.message).toBe('success')
    for (const value of values) expect(await world.values(target, value)).toEqual(rowsOf(value, 2))
    expect(await world.tabs(target)).toEqual(['Shop', ...values])
  })
})

test('differences that do not fit one commit are written tab by tab', async () => {
  const { target, task } = await narrow.pair(table(1), [], { split_by: 'Country' })
  const ended = await narrow.run(task)
  expect([ended.state, ended.message]).toEqual(['success', messages.done(3, 3)])
  expect(ended.log).toContain(`INFO ${messages.one_by_one}`)
  expect(ended.log.join('\n')).not.toContain('all of them change in one step')
  for (const value of values) expect(await narrow.values(target, value)).toEqual(rowsOf(value, 1))
})
