import { type FileHandle, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { testFolder } from '../../../../../test/fixtures/folders.ts'
import { until } from '../../../../../test/processes/processes.ts'
import { PartitionedSpillFile, RECORDS_PER_PARTITION } from './partitioned-spill-file.ts'

/** The loaded rows by record and source, and the largest number of bytes at a time. */
async function loaded(spill: PartitionedSpillFile) {
  const found = new Map<string, string>()
  let most = 0
  for await (const rows of spill.load()) {
    let bytes = 0
    rows.each(({ record, source, row_no }, start, end) => {
      expect([record >= rows.first, record < rows.first + rows.count]).toEqual([true, true])
      found.set(`${record} ${source}`, `${row_no} ${rows.bytes.toString('latin1', start, end)}`)
      bytes += end - start
    })
    most = Math.max(most, bytes)
  }
  return { found, most }
}

test('rows are returned by record, whatever their order, and leave no file', async () => {
  const folder = join(await testFolder(), 'scratch')
  const spill = new PartitionedSpillFile(folder)
  const given = new Map<string, string>()
  const records = 3 * RECORDS_PER_PARTITION + 5
  for (let n = 0; n < 2 * records; n += 1) {
    const record = (n * 7_919) % records
    const source = n < records ? 0 : 1
    const text = `${record}`.repeat(1 + (n % 12))
    const bytes = Buffer.from(`<${text}>`)
    spill.add({ record, source, row_no: n }, bytes, 1, bytes.length - 1)
    given.set(`${record} ${source}`, `${n} ${text}`)
    if (n % 500 === 0) await spill.flush()
  }
  expect(await readdir(folder)).toEqual([])
  const { found } = await loaded(spill)
  expect(found).toEqual(given)
  await spill.close()
})

test('long rows are loaded in parts of their records', async () => {
  const spill = new PartitionedSpillFile(await testFolder())
  for (let record = 0; record < 80; record += 1) {
    const bytes = Buffer.alloc(1_000_000, `${record % 10}`)
    spill.add({ record: record * 200, source: 0, row_no: 1 }, bytes, 0, bytes.length)
    await spill.flush()
  }
  const { found, most } = await loaded(spill)
  expect(found.size).toBe(80)
  expect(found.get('2600 0')?.slice(0, 5)).toBe('1 333')
  expect(most).toBeLessThanOrEqual(32_000_000)
  await spill.close()
})

/** The prototype of file handles, to intercept their methods. */
async function methodsOfFiles(): Promise<FileHandle> {
  const file = await open(join(await testFolder(), 'any'), 'w')
  const methods = Object.getPrototypeOf(file)
  await file.close()
  return methods
}

/** Adds more rows than fit in memory and returns them. */
async function fill(spill: PartitionedSpillFile) {
  const given = new Map<string, string>()
  for (let record = 0; record < 4_000; record += 1) {
    const text = `${record} `.repeat(200)
    spill.add({ record, source: 0, row_no: record + 1 }, Buffer.from(text), 0, text.length)
    given.set(`${record} 0`, `${record + 1} ${text}`)
    await spill.flush()
  }
  return given
}

test('the next rows are prefetched, and nothing is left if the reader stops', async () => {
  const folder = await testFolder()
  const spill = new PartitionedSpillFile(folder)
  const rowOf = (record: number) => Buffer.from(`${record} `.repeat(40))
  for (let record = 0; record < 4 * RECORDS_PER_PARTITION; record += 1) {
    const row = rowOf(record)
    spill.add({ record, source: 0, row_no: record + 1 }, row, 0, row.length)
    await spill.flush()
  }
  const read = vi.spyOn(await methodsOfFiles(), 'read')
  let parts = 0
  for await (const rows of spill.load()) {
    const so_far = read.mock.calls.length
    // The next part is prefetched into other memory.
    if (parts < 3) await until('the next partition is read', async () => read.mock.calls.length > so_far + 4)
    let record = rows.first
    rows.each((row, start, end) => {
      if (row.record !== record || !rows.bytes.subarray(start, end).equals(rowOf(record)))
        throw new Error(`Record ${record} has another row`)
      record += 1
    })
    expect(record).toBe(rows.first + RECORDS_PER_PARTITION)
    parts += 1
  }
  expect(parts).toBe(4)
  for await (const rows of spill.load()) {
    expect(rows.first).toBe(0)
    break
  }
  const calls = read.mock.calls.length
  await spill.close()
  expect(read.mock.calls.length).toBe(calls)
  read.mockRestore()
})

test('a partial write is continued', async () => {
  const methods = await methodsOfFiles()
  const { writev } = methods
  const part = vi.spyOn(methods, 'writev').mockImplementation(function (
    this: FileHandle,
    blocks: readonly NodeJS.ArrayBufferView[],
    position,
  ) {
    const some = blocks.slice(0, 1).map(({ buffer, byteOffset }) => new Uint8Array(buffer, byteOffset, 1_000))
    return writev.call(this, some, position)
  })
  const spill = new PartitionedSpillFile(await testFolder())
  const given = await fill(spill)
  expect((await loaded(spill)).found).toEqual(given)
  expect(part).toHaveBeenCalled()
  part.mockRestore()
  await spill.close()
})

test('rows that are partly missing are an error', async () => {
  const spill = new PartitionedSpillFile(await testFolder())
  await fill(spill)
  const none = vi
    .spyOn(await methodsOfFiles(), 'read')
    .mockResolvedValue({ bytesRead: 0, buffer: Buffer.alloc(0) })
  await expect(loaded(spill)).rejects.toThrow('bytes of rows')
  none.mockRestore()
  await spill.close()
})
