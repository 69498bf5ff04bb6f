import { Duplex } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Connection } from 'pg'
import { expect, test } from 'vitest'
import { until } from '../../../test/processes/processes.ts'
import { BlockPool } from './block-pool.ts'
import { CopyOut } from './copy-out.ts'

/** A message of PostgreSQL's protocol with a body of the given size. */
function message(letter: string, bytes: number): Buffer {
  const head = Buffer.alloc(5)
  head.write(letter)
  head.writeInt32BE(4 + bytes, 1)
  return Buffer.concat([head, Buffer.alloc(bytes, letter)])
}

/** A block pool that counts the blocks in use. */
class CountedBlocks extends BlockPool {
  inUse = 0

  override take(): Buffer {
    this.inUse += 1
    return super.take()
  }

  override give(block: Buffer): void {
    this.inUse -= 1
    super.give(block)
  }
}

const BLOCK = 65_536

test.each([
  ['in the block of the last row', 10],
  ['between two blocks', 0],
  ['with its first byte in the block of the last row', 1],
  ['with four bytes in the block of the last row', 4],
])(
  'bytes after the rows go to the connection, and each buffer is released: it starts %s',
  async (_where, left) => {
    const stream = new Duplex({ read: () => {}, write: (_bytes, _encoding, done) => done() })
    const received: Buffer[] = []
    stream.on('data', (bytes) => received.push(bytes))
    const blocks = new CountedBlocks()
    const copy = new CopyOut('copy', blocks)
    copy.submit(new Connection({ stream: () => stream }))
    // Three blocks of later data: other statements may have been answered by then.
    const rest = Buffer.concat([message('c', 0), message('C', 150_000), message('Z', 1)])
    const rows = [message('d', 1_000), message('d', BLOCK - 1_005 - 5 - 5 - left)]
    stream.push(Buffer.concat([...rows, rest]))
    const found: number[] = []
    await nextTurn()
    const reading = copy.each(
      (_bytes, start, end) => found.push(end - start),
      async () => {},
    )
    await until('the connection has heard of the rest', () => Buffer.concat(received).length >= rest.length)
    copy.handleReadyForQuery()
    await reading
    expect(found).toEqual(rows.map(({ length }) => length - 5))
    expect(Buffer.concat(received).equals(rest)).toBe(true)
    expect(blocks.inUse).toBe(0)
    // The original listeners receive the data that follows.
    stream.push('next')
    await until('what comes then is heard', () => Buffer.concat(received).toString('latin1').endsWith('next'))
  },
)
