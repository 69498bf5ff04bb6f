import { beforeEach, describe, expect, test } from 'vitest'
import { readInPartsWorlds } from '../../../../../test/fakes/json-directory/world.ts'
import { type CopyWorld, until } from '../../../../../test/fixtures/copy-world.ts'

// One read of the sheets below takes twenty requests.
const worlds = readInPartsWorlds({ cellsPerRead: 500, directory: { rows_per_read: 50 } })

const rows = Array.from({ length: 1_000 }, (_, row) =>
  Array.from({ length: 10 }, (_, column) => `${row}/${column}`),
)

const pair = (world: CopyWorld, chunk_size = 50) => world.pair(rows, [['old']], { chunk_size })

const text = (rowIndex: number, stringValue: string) => ({
  updateCells: {
    start: { sheetId: 100, rowIndex, columnIndex: 0 },
    rows: [{ values: [{ userEnteredValue: { stringValue } }] }],
    fields: 'userEnteredValue',
  },
})

describe.each(worlds)('over %s', (_provider, world) => {
  beforeEach(() => world.faults())

  test('a reading of several requests is repeated once if the two agree', async () => {
    const { source, target, task } = await pair(world)
    const run = await world.run(task)
    expect(run.state).toBe('success')
    expect(await world.readsOf(source)).toBe(40)
    expect(await world.values(target, 'Shop')).toEqual(rows)
  })

  test('chunks that are larger than a request are read as well', async () => {
    const { target, task } = await pair(world, 100_000)
    expect((await world.run(task)).state).toBe('success')
    expect(await world.values(target, 'Shop')).toEqual(rows)
  })

  test('a source that is edited while it is read is read again: the copy never mixes two versions', async () => {
    const { source, target, task } = await pair(world)
    await world.slowReads(source)
    await world.start(task)
    await until(async () => (await world.readsOf(source)) >= 8)
    // One request changes a row that was already read and one that was not.
    await world.batch(source, text(1, 'edited'), text(999, 'edited too'))
    const run = await world.ended(task)
    expect(run.state).toBe('success')
    expect(run.log).toContain(
      'INFO ‘Products’ in ‘Catalogue’ was edited while it was read. Reading it again.',
    )
    const written = await world.values(target, 'Shop')
    expect(written).toEqual(await world.values(source, 'Products'))
    expect([written[1]?.[0], written[999]?.[0]]).toEqual(['edited', 'edited too'])
  })

  test('rows added at the end of the source while it is read arrive too', async () => {
    const { source, target, task } = await pair(world)
    await world.slowReads(source)
    await world.start(task)
    await until(async () => (await world.readsOf(source)) >= 3)
    await world.batch(source, { appendDimension: { sheetId: 100, dimension: 'ROWS', length: 10 } })
    await world.write(source, 'Products!A1005', [['added']])
    const run = await world.ended(task)
    expect(run.state).toBe('success')
    expect((await world.values(target, 'Shop'))[1_004]).toEqual(['added'])
  })

  test('a source that changes at every reading is copied, with a Warning', async () => {
    const { source, task } = await pair(world)
    await world.slowReads(source)
    await world.start(task)
    let ended = false
    const editing = (async () => {
      for (let n = 0; !ended; n += 1) await world.write(source, 'Products!B2', [[n]])
    })()
    const run = await world.ended(task)
    ended = true
    await editing
    expect(run.state).toBe('warning')
    expect(run.log).toContain(
      'WARNING ‘Products’ in ‘Catalogue’ changed each time it was read: the copy may mix rows of different moments.',
    )
  })

  test('another editor’s change of the target between commit and verification is detected and repaired', async () => {
    const { target, task } = await pair(world)
    await world.run(task)
    await world.write(target, 'Shop!C5', [['changed']])
    await world.start(task)
    // The correct cell value shows that the commit was applied; verification then reads in twenty requests.
    await world.slowReads(target)
    await until(async () => (await world.values(target, 'Shop!C5'))[0]?.[0] === '4/2')
    await world.write(target, 'Shop!D900', [['changed again']])
    const run = await world.ended(task)
    expect(run.state).toBe('success')
    expect(run.log.find((line) => line.startsWith('WARNING'))).toBe(
      'WARNING ‘Shop’ in ‘Web shop’ does not hold what was written: 1 cell (D900). Writing again.',
    )
    expect(await world.values(target, 'Shop')).toEqual(rows)
  })

  test('a tab that is renamed while it is read is opened again', async () => {
    const { source, target, task } = await pair(world)
    await world.run(task)
    await world.slowReads(source)
    const before = await world.readsOf(source)
    await world.start(task)
    await until(async () => (await world.readsOf(source)) >= before + 3)
    const properties = { sheetId: 100, title: 'Items' }
    await world.batch(source, { updateSheetProperties: { properties, fields: 'title' } })
    const run = await world.ended(task)
    expect(run.state).toBe('warning')
    expect(run.log.some((line) => line.includes('is called ‘Items’ now'))).toBe(true)
    expect(await world.values(target, 'Shop')).toEqual(rows)
  })
})
