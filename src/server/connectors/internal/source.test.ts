import { expect, test } from 'vitest'
import { databasePerTest } from '../../../../test/fixtures/database.ts'
import { databaseUse } from '../../../../test/fixtures/database-origins.ts'
import { aCopy, aSourceTask } from '../../../../test/fixtures/factories.ts'
import type { CellValue } from '../../../contract/tables.ts'
import type { Source } from '../connector.ts'
import { parseRow } from '../row-json.ts'
import { openInternal } from './source.ts'

const database = databasePerTest()
const use = databaseUse({ own_database: '' })

const PRICE = { type: 'CURRENCY', pattern: '0.00' }

async function stored(rows: CellValue[][], task_id?: number) {
  const task = task_id ?? (await aSourceTask(database.db, { name: 'Supplier' })).id
  const { id } = await aCopy(database.db, task, ['SKU', 'Price'], rows)
  const formats = [null, PRICE]
  await database.db
    .updateTable('snapshots')
    .set({ header: JSON.stringify(['SKU', 'Price']), formats: JSON.stringify(formats) })
    .where('id', '=', id)
    .execute()
  return { task, id }
}

async function read(source: Source, options: Parameters<Source['read']>[0] = {}) {
  const reading = source.read(options)
  const rows: CellValue[][] = []
  for await (const batch of reading.batches)
    for (const row of batch) rows.push(parseRow(Buffer.from(row).toString('utf8')))
  return { rows, reading }
}

const many = (count: number, price: number) =>
  Array.from({ length: count }, (_, n) => [`SKU-${n + 1}`, price])

test('the stored rows of another task are read with their header and formats', async () => {
  const { task, id } = await stored(many(2500, 9.5))
  const source = await openInternal(database.db, task, use)
  const { rows, reading } = await read(source)
  expect(source.title).toBe('‘Supplier’')
  expect(rows).toHaveLength(2501)
  expect(rows.slice(0, 2)).toEqual([
    ['SKU', 'Price'],
    ['SKU-1', 9.5],
  ])
  expect(reading).toMatchObject({ total: 2500, header: ['SKU', 'Price'], validator: { snapshot_id: id } })
  expect((await source.formats({ sample: [], rows: 2500 })).columns).toEqual([
    { format: null, runs: null, mixed: false },
    { format: PRICE, runs: null, mixed: false },
  ])
})

test('a source that has not changed since it was read is not read again', async () => {
  const { task } = await stored(many(3, 1))
  const { reading } = await read(await openInternal(database.db, task, use))
  const again = await read(await openInternal(database.db, task, use), { validator: reading.validator })
  expect(again.reading.unchanged).toBe(true)
  expect(again.rows).toEqual([])

  await stored(many(3, 2), task)
  const changed = await read(await openInternal(database.db, task, use), { validator: reading.validator })
  expect(changed.reading.unchanged).toBe(false)
  expect(changed.rows).toHaveLength(4)
})

test('a resumed read stays in its version, even if a newer one is current', async () => {
  const { task } = await stored(many(2500, 1))
  const first = (await openInternal(database.db, task, use)).read()
  let taken = 0
  for await (const batch of first.batches) {
    taken += batch.length
    if (taken > 1000) break
  }
  const { id } = await stored(many(10, 2), task)
  await database.db.updateTable('snapshots').set({ formats: '[]' }).where('id', '=', id).execute()
  const resume = { checkpoint: first.checkpoint, header: ['SKU', 'Price'], rows: taken }
  const source = await openInternal(database.db, task, use)
  const { rows } = await read(source, { resume })
  expect(taken + rows.length).toBe(2501)
  expect(rows[0]).toEqual([`SKU-${taken}`, 1])
  expect((await source.formats({ sample: [], rows: 1 })).columns.map(({ format }) => format)).toEqual([
    null,
    PRICE,
  ])
})

test('a read whose version was deleted starts over', async () => {
  const { task } = await stored(many(5, 1))
  const resume = { checkpoint: { snapshot_id: 2_000_000_000 }, header: ['SKU', 'Price'], rows: 2 }
  await expect(read(await openInternal(database.db, task, use), { resume })).rejects.toMatchObject({
    kind: 'unavailable',
    message: expect.stringContaining('have been replaced'),
  })
})

test('a task without rows and a deleted task are reported clearly', async () => {
  const { id } = await aSourceTask(database.db, { name: 'Supplier' })
  await expect(openInternal(database.db, id, use)).rejects.toMatchObject({
    name: 'OriginFailure',
    kind: 'not_found',
    message: '‘Supplier’ has no rows yet: run it first.',
  })
  await expect(openInternal(database.db, 2_000_000_000, use)).rejects.toMatchObject({
    kind: 'not_found',
    message: expect.stringContaining('not there any more'),
  })
})

test('more rows than the limit are refused before any is read', async () => {
  const { task } = await stored(many(5, 1))
  const source = await openInternal(database.db, task, { ...use, max_rows: 4 })
  await expect(read(source)).rejects.toMatchObject({ kind: 'too_large' })
})
