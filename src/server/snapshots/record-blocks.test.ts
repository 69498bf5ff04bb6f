import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDatabase } from '../../../test/fixtures/database.ts'
import { bytesOfRecords, fieldSources } from './record-blocks.ts'

const RECORDS_IN_EACH = 3

/** Stores blocks of three records and two fields. The second field is filled with the block's number. */
async function storeBlocks(of: number, blocks: number) {
  const { db } = await testDatabase()
  await sql`
    insert into compiled_blocks (snapshot_id, first_row, skus, ends, cells, found, field_sources, source_rows, times, before_rows)
    select ${of}::int, 1 + n * ${RECORDS_IN_EACH}::int, array['a', 'b', 'c'], array[2, 4, 6], convert_to('[][][]', 'UTF8'), decode('010101', 'hex'),
      decode('000102' || repeat(lpad(to_hex(n % 256), 2, '0'), 3), 'hex'), '', decode(repeat('00', 48), 'hex'), ''
    from generate_series(0, ${blocks - 1}::int) n order by hashint4(n)`.execute(db)
  return db
}

test('a scan of the field origins reads each block once in order, for any number', async () => {
  const blocks = 1_203
  const db = await storeBlocks(7, blocks)
  const walked: unknown[] = []
  for await (const { first_row, size, field_sources } of fieldSources(db, 7))
    walked.push([first_row, size, ...field_sources])
  expect(walked).toEqual(
    Array.from({ length: blocks }, (_, n) => [
      1 + n * RECORDS_IN_EACH,
      RECORDS_IN_EACH,
      ...[0, 1, 2],
      ...[n % 256, n % 256, n % 256],
    ]),
  )
  const bytes = await bytesOfRecords(db, 7, { list: 'field_sources', number: 2 })
  expect([...bytes]).toEqual(walked.flatMap((_, n) => [n % 256, n % 256, n % 256]))
})

test('a scan of a version without records ends at once', async () => {
  const db = await storeBlocks(7, 2)
  for await (const block of fieldSources(db, 8)) expect(block).toBeUndefined()
})
