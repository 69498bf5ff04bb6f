import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { testDatabase } from '../../../test/fixtures/database.ts'
import { until } from '../../../test/processes/processes.ts'
import { createPool } from '../platform/db.ts'
import { BlockPool } from './block-pool.ts'
import { CopiedRows } from './copied-rows.ts'

let url = ''
let pool: ReturnType<typeof createPool>
const nothing = async () => {}
const { signal } = new AbortController()

beforeAll(async () => {
  url = (await testDatabase()).url
})

const open = (query: string, max = 1) => {
  pool = createPool({ url, max })
  return CopiedRows.open(pool, { query, settings: 'set local enable_seqscan = off', blocks: new BlockPool() })
}

afterEach(async () => {
  // The pool has a single connection.
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  await pool.end()
})

test('rows are received unchanged for any network chunks: empty, null, longer than a chunk', async () => {
  const rows = await open(`
    select n, case when n % 7 = 0 then null else repeat(chr(97 + n % 26), n * n % 9973 * (case when n = 500 then 100 else 1 end)) end
    from generate_series(1, 1000) n`)
  const found: [number, string | null][] = []
  await rows.read(
    (bytes, places) =>
      found.push([
        bytes.readInt32BE(places[0]),
        (places[2] ?? 0) < 0 ? null : bytes.toString('utf8', places[2], places[3]),
      ]),
    nothing,
    signal,
  )
  expect(found).toEqual(
    Array.from({ length: 1000 }, (_, index) => {
      const n = index + 1
      const length = ((n * n) % 9973) * (n === 500 ? 100 : 1)
      return [n, n % 7 === 0 ? null : String.fromCharCode(97 + (n % 26)).repeat(length)]
    }),
  )
})

test('two simultaneous reads do not mix, even with shared buffers, and their connections stay usable', async () => {
  const blocks = new BlockPool()
  pool = createPool({ url, max: 2 })
  const textOf = (n: number, of: number) => `${of}:${n} `.repeat(1 + ((n * of) % 97))
  const reading = (of: number) =>
    CopiedRows.open(pool, {
      query: `select repeat(${of} || ':' || n || ' ', 1 + n * ${of} % 97) from generate_series(1, 20000) n`,
      settings: 'set local enable_seqscan = off',
      blocks,
    })
  for (let round = 0; round < 3; round += 1) {
    const open = await Promise.all([reading(7), reading(11)])
    for (const [index, of] of [7, 11].entries()) {
      let n = 0
      await open[index]?.read(
        (bytes, places) => {
          n += 1
          if (bytes.toString('utf8', places[0], places[1]) !== textOf(n, of))
            throw new Error(`Row ${n} of reading ${of} is another one`)
        },
        // The other query is read meanwhile.
        () => nextTurn(),
        signal,
      )
      expect(n).toBe(20_000)
    }
    // Longer than one read of the socket, so a row is split.
    const answers = await Promise.all(
      [1, 2].map((of) => pool.query(`select repeat('${of}', 10000) as text from generate_series(1, 200)`)),
    )
    expect(answers.map(({ rows }) => new Set(rows.map(({ text }) => text)))).toEqual(
      [1, 2].map((of) => new Set([`${of}`.repeat(10_000)])),
    )
  }
})

test('buffered rows do not block the process', async () => {
  const rows = await open("select repeat('x', 1000) from generate_series(1, 5000)", 2)
  await until('all of them have come', async () => {
    const { rows: sent } = await pool.query(
      "select from pg_stat_activity where query like 'copy (select repeat%' and state = 'idle in transaction' and datname = current_database()",
    )
    return sent.length > 0
  })
  let turns = 0
  let isOver = false
  const count = () => {
    turns += 1
    if (!isOver) setImmediate(count)
  }
  let [first, last] = [0, 0]
  await rows.read(
    () => {
      if (turns === 0) count()
      first ||= turns
      last = turns
    },
    nothing,
    signal,
  )
  isOver = true
  expect(last - first).toBeGreaterThan(10)
})

test('a query without rows ends', async () => {
  const rows = await open('select 1 where false')
  await rows.read(
    () => {
      throw new Error('There is no row')
    },
    nothing,
    signal,
  )
})

test('a server error, an error of the consumer and an abort end the read with their reason', async () => {
  const failing = await open('select 1 / (500000 - n) from generate_series(1, 1000000) n')
  await expect(failing.read(() => {}, nothing, signal)).rejects.toThrow('division by zero')
  await pool.end()
  const long = 'select n, repeat($$x$$, 500) from generate_series(1, 1000000) n'
  const refused = async () => {
    throw new RangeError('Full')
  }
  await expect((await open(long)).read(() => {}, refused, signal)).rejects.toThrow('Full')
  await pool.end()
  const controller = new AbortController()
  const stop = async () => controller.abort(new Error('Stopped'))
  await expect((await open(long)).read(() => {}, stop, controller.signal)).rejects.toThrow('Stopped')
})

test('a broken connection fails the read', async () => {
  const rows = await open('select n, pg_backend_pid() from generate_series(1, 3000000) n', 2)
  let pid = 0
  const reading = rows.read(
    (bytes, places) => {
      pid = bytes.readInt32BE(places[2])
    },
    async () => {
      if (pid > 0) await pool.query('select pg_terminate_backend($1)', [pid])
    },
    signal,
  )
  await expect(reading).rejects.toThrow(/terminat|closed|ECONNRESET/)
})

test('a read that is opened and never consumed releases its connection', async () => {
  const rows = await open('select n from generate_series(1, 1000000) n')
  rows.close()
})
