import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { RowBlocks } from '../read/row-blocks.ts'

const rowOf = (n: number) => Buffer.from(JSON.stringify([n, `Bolt ${n} mm, galvanised`, n / 100, true, '']))

test('rows are returned as they were added, also one that is larger than a block', () => {
  const large = Buffer.from(JSON.stringify(['x'.repeat(700_000)]))
  const rows = Array.from({ length: 30_000 }, (_, n) => (n === 12_000 ? large : rowOf(n)))
  const blocks = new RowBlocks()
  // Like parts of a response, whose memory is reused.
  const piece = Buffer.alloc(large.length)
  for (const row of rows) {
    row.copy(piece)
    blocks.add(piece.subarray(0, row.length))
  }
  expect([blocks.length, blocks.bytes]).toEqual([30_000, Buffer.concat(rows).length])
  for (const [n, row] of rows.entries()) if (blocks.at(n)?.equals(row) !== true) expect.fail(`row ${n}`)
  expect([blocks.at(30_000), blocks.holds(30_000, rowOf(1)), blocks.at(-1)]).toEqual([
    undefined,
    false,
    undefined,
  ])
  const other = Buffer.from(rowOf(29_999))
  other[3] = 0x30
  expect([blocks.holds(29_999, rowOf(29_999)), blocks.holds(29_999, other)]).toEqual([true, false])
})

test('a text that may be a formula is found in its row, and in no other', () => {
  const blocks = new RowBlocks()
  const like = new Set([0, 7, 15_000, 29_999])
  const jsonOf = (n: number) => (like.has(n) ? Buffer.from('["a","=B1"]') : rowOf(n))
  for (let n = 0; n < 30_000; n += 1) {
    blocks.add(jsonOf(n))
    // Check while more rows are added to the same block.
    if (n % 1_000 === 0) expect(blocks.mayHaveFormulaText(n, jsonOf(n))).toBe(like.has(n))
  }
  const rows = Array.from({ length: 30_000 }, (_, n) => n)
  const found = rows.filter((n) => blocks.mayHaveFormulaText(n, jsonOf(n)))
  expect(found).toEqual([...like])
})

test('rows take at most a quarter more memory than their bytes', async () => {
  // A process of its own: other tests leave memory in use and free it at any time.
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--expose-gc',
    '--input-type=module',
    '--eval',
    `import { RowBlocks } from ${JSON.stringify(import.meta.resolve('../read/row-blocks.ts'))}
    const used = () => {
      gc()
      const { heapUsed, arrayBuffers } = process.memoryUsage()
      return heapUsed + arrayBuffers
    }
    const row = (n) => Buffer.from(JSON.stringify([n, 'Bolt ' + n + ' mm, galvanised', n / 100, true, '']))
    const before = used()
    const blocks = new RowBlocks()
    for (let n = 0; n < 200_000; n += 1) blocks.add(Buffer.concat([row(n), row(n), row(n)]))
    console.log(JSON.stringify({ used: used() - before, bytes: blocks.bytes }))`,
  ])
  const { used, bytes } = z.object({ used: z.number(), bytes: z.number() }).parse(JSON.parse(stdout))
  expect(bytes).toBeGreaterThan(25_000_000)
  expect(used).toBeLessThan(bytes * 1.25)
})
