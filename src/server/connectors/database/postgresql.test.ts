import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { sql } from 'kysely'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../../test/fixtures/database.ts'
import {
  databaseSettings,
  databaseUse,
  readAll,
  settingsOf,
} from '../../../../test/fixtures/database-origins.ts'
import { readDatabase } from './source.ts'
import { testDatabase as tryDatabase } from './test.ts'

let own: TestDatabase
let origin: TestDatabase
beforeAll(async () => {
  own = await testDatabase()
  origin = await testDatabase()
  await origin.asAdmin(`set role rowferry;
    create table items (id int primary key, name text);
    insert into items select n, 'Item ' || n from generate_series(1, 5000) n;
    create sequence numbers;
    create function spoil() returns int language sql volatile as 'delete from items returning id'`)
})
const settings = (statement: string) => settingsOf(origin.url, statement)
const use = (fields = {}) => databaseUse({ own_database: own.url, ...fields })
const failure = (kind: string, message: string | RegExp) =>
  expect.objectContaining({ name: 'OriginFailure', kind, message: expect.stringMatching(message) })

// In a FROM list PostgreSQL would materialise the series first.
const STREAMED = '(select generate_series(1, 100000000) as n) numbers'

/** Wait events of connections whose running statement contains `mark`. */
async function waitsOf(mark: string): Promise<(string | null)[]> {
  const { rows } = await sql<{ wait_event: string | null }>`
    select wait_event from pg_stat_activity
    where state = 'active' and query like ${`copy (%${mark}%`} and pid <> pg_backend_pid()`.execute(own.db)
  return rows.map(({ wait_event }) => wait_event)
}
const atWork = async (mark: string) => (await waitsOf(mark)).length

test('rows come in the order of the statement, the header first, in several batches', async () => {
  const { rows, header } = await readAll(settings('select id, name from items order by id;\n '), use())
  expect(header).toEqual(['id', 'name'])
  expect(rows).toHaveLength(5001)
  expect(rows.slice(0, 3)).toEqual([
    ['id', 'name'],
    [1, 'Item 1'],
    [2, 'Item 2'],
  ])
  expect(rows.at(-1)).toEqual([5000, 'Item 5000'])
})
test('blank rows are returned only if a row follows, and blank cells at the end of a row are omitted', async () => {
  const { texts } = await readAll(
    settings(`values (1, null), (null, null), (2, ''), (null, 'x'), (null, ''), (null, null)`),
    use(),
  )
  expect(texts).toEqual(['["column1","column2"]', '[1]', '[]', '[2]', '["","x"]'])
})

test('duplicate and empty column names are returned unchanged', async () => {
  const { rows } = await readAll(settings('select 1 as a, 2 as a, 3'), use())
  expect(rows).toEqual([
    ['a', 'a', '?column?'],
    [1, 2, 3],
  ])
})

test('a statement without rows has its header', async () => {
  const { rows } = await readAll(settings('select id from items where false'), use())
  expect(rows).toEqual([['id']])
})

test.each([
  ['insert into items values (0, 0) returning id', /does more than read/],
  ['with gone as (delete from items returning id) select * from gone', /does more than read/],
  ['update items set name = null returning id', /does more than read/],
  ['select spoil()', /does more than read: cannot execute DELETE/],
  [`select nextval('numbers')`, /does more than read/],
  ['select * from items for update', /does more than read/],
  [`select set_config('transaction_read_only', 'off', true), spoil()`, /read-write mode/],
  [`select query_to_xml('delete from items', true, true, '')`, /does more than read|not allowed/],
  ['select 1; delete from items', /cannot insert multiple commands/],
  ['select 1) to stdout; delete from items; --', /syntax error at or near "\)"/],
  [`select 1) to program 'touch /tmp/x' --`, /line 1, column 9.*syntax error/],
  [`copy items to program 'cat'`, /answers no rows/],
  ['delete from items', /answers no rows/],
  ['drop table items', /answers no rows/],
  ['begin', /answers no rows/],
  ['select', /answers no rows/],
  ['-- nothing', /answers no rows/],
  [`do 'begin delete from items; end'`, /answers no rows/],
])('%s is refused', async (statement, message) => {
  await expect(readAll(settings(statement), use())).rejects.toEqual(failure('invalid', message))
  await expect(readAll(settings('select count(*) from items'), use())).resolves.toMatchObject({
    rows: [['count'], [5000]],
  })
})

test.each([`select pg_read_file('/etc/passwd')`, `select pg_ls_dir('/')`, `select lo_import('/etc/passwd')`])(
  '%s is refused for users without superuser rights',
  async (statement) => {
    await expect(readAll(settings(statement), use())).rejects.toThrow(/permission denied|does more than read/)
  },
)

test('the error of a failing statement contains its position', async () => {
  await expect(readAll(settings('select id,\n  nam from items'), use())).rejects.toEqual(
    failure(
      'invalid',
      /^The statement fails at 127\.0\.0\.1:\d+ \(line 2, column 3\): column "nam" does not exist/,
    ),
  )
  await expect(readAll(settings('select 1 / (id - 3) from items'), use())).rejects.toEqual(
    failure('invalid', /division by zero/),
  )
})

test('Rowferry’s own database is refused under any of its names', async () => {
  const { port, ...rest } = settingsOf(own.url, 'select 1')
  for (const host of ['127.0.0.1', 'localhost', '127.1'])
    await expect(readAll({ ...rest, port, host }, use())).rejects.toEqual(
      failure('forbidden', /own database/),
    )
})

test.each([
  ['10.0.0.1', 'forbidden', /10\.0\.0\.1 \(port 5432\) is a private address that is not on the list/],
  ['db.example', 'forbidden', /db\.example \(port 5432\) is not on the list of allowed hosts/],
  ['/var/run/postgresql', 'invalid', /is not the name or address of a host/],
] as const)('%s is not reached', async (host, kind, message) => {
  await expect(readAll(databaseSettings({ host, database: 'x', user: 'y' }), use())).rejects.toEqual(
    failure(kind, message),
  )
})

test('a name that resolves to an address that is not allowed is refused when the socket connects', async () => {
  const named = { ...settings('select 1'), host: 'localhost' }
  await expect(readAll(named, use({ rules: { entries: ['localhost'] } }))).rejects.toEqual(
    failure('forbidden', /^localhost leads to (127\.0\.0\.1|::1), a loopback address/),
  )
})

test.each([
  ['user', { user: 'nobody', password: 'wrong' }, 'forbidden', /does not let ‘nobody’ in/],
  ['password', { password: 'hunter2' }, 'forbidden', /does not let ‘rowferry’ in/],
  ['database', { database: 'nowhere' }, 'not_found', /no database ‘nowhere’/],
  ['port', { port: 1 }, 'unavailable', /127\.0\.0\.1:1 could not be reached.*ECONNREFUSED/],
  ['encryption', { tls: 'verify' as const }, 'invalid', /no encrypted connection to 127\.0\.0\.1:\d+/],
])('the message about a wrong %s does not contain the password', async (_what, fields, kind, message) => {
  const wrong = { ...settings('select 1'), ...fields }
  const refused = await readAll(wrong, use()).catch((error: Error) => error)
  expect(refused).toEqual(failure(kind, message))
  expect(JSON.stringify([refused, String(refused), refused])).not.toContain(wrong.password)
})

test('a password in the database’s own message is masked', async () => {
  const secret = settings('select 1')
  const refused = readAll({ ...secret, statement: `select ('${secret.password}')::int` }, use())
  await expect(refused).rejects.toEqual(failure('invalid', /invalid input syntax for type integer: "•••"/))
})

test('a server that does not respond is given up when the run ends', async () => {
  const server = createServer(() => {}).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const stop = new AbortController()
  const reading = readAll({ ...settings('select 1'), port: portOf(server) }, use({ signal: stop.signal }))
  await once(server, 'connection')
  stop.abort(new Error('stopped'))
  await expect(reading).rejects.toThrow('stopped')
})

describe('a running statement', () => {
  const endless = (mark: string) => `select count(*) as ${mark} from generate_series(1, 100000000000)`

  test('ends on the server when the run is stopped', async () => {
    const stop = new AbortController()
    const reading = readAll(settings(endless('stopped')), use({ signal: stop.signal }))
    await expect.poll(() => atWork('stopped')).toBe(1)
    stop.abort(new Error('stopped'))
    await expect(reading).rejects.toThrow('stopped')
    await expect.poll(() => atWork('stopped')).toBe(0)
  })

  test('ends on the server at its time limit', async () => {
    const slow = { ...settings(endless('slow')), timeout_seconds: 1 }
    await expect(readAll(slow, use())).rejects.toEqual(failure('unavailable', /longer than 1 s/))
    await expect.poll(() => atWork('slow')).toBe(0)
  })

  test('ends on the server when reading stops', async () => {
    const many = settings('select generate_series(1, 100000000000) as many')
    let batches = 0
    for await (const _rows of readDatabase(many, use()).batches) {
      batches += 1
      if (batches === 3) break
    }
    await expect.poll(() => atWork('many')).toBe(0)
  })

  test('fails if the server closes the connection', async () => {
    const many = settings(`select repeat('x', 1000) as broken from ${STREAMED}`)
    const reading = readDatabase(many, use()).batches[Symbol.asyncIterator]()
    // The header and the first rows.
    await reading.next()
    await reading.next()
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where query like 'copy (%as broken%' and pid <> pg_backend_pid()`.execute(own.db)
    const rest = async () => {
      while (!(await reading.next()).done);
    }
    await expect(rest()).rejects.toEqual(failure('unavailable', /connection broke|terminating connection/))
  })

  test('waits while its rows are not read, without using memory', async () => {
    const many = settings(`select repeat('x', 1000) as waits, n from ${STREAMED}`)
    const reading = readDatabase(many, use()).batches[Symbol.asyncIterator]()
    await reading.next()
    await reading.next()
    const before = process.memoryUsage.rss()
    await expect.poll(() => waitsOf('as waits')).toEqual(['ClientWrite'])
    expect(process.memoryUsage.rss() - before).toBeLessThan(50_000_000)
    await reading.return?.()
  })
})

test('more rows than the limit end the read', async () => {
  await expect(readAll(settings('select * from items'), use({ max_rows: 4999 }))).rejects.toEqual(
    failure('too_large', /more than 4,999 rows/),
  )
  await expect(readAll(settings('select * from items'), use({ max_rows: 5000 }))).resolves.toBeDefined()
})

test('a connection test reads the first rows, returns the columns and ends the statement', async () => {
  const found = await tryDatabase(
    settings(`select n as tested, 'a' || n as b, n > 3 as c, null as d, case when n > 1 then 'x' end as e
      from ${STREAMED}`),
    use(),
  )
  expect(found).toMatchObject({
    ok: true,
    message: expect.stringMatching(/^The first 1,000 rows were read in \d+\.\d s\.$/),
    columns: [
      { name: 'tested', type: 'number' },
      { name: 'b', type: 'text' },
      { name: 'c', type: 'boolean' },
      { name: 'd', type: 'blank' },
      { name: 'e', type: 'text' },
    ],
    rows_read: 1000,
    has_more: true,
    total: null,
  })
  expect(found.rows).toHaveLength(20)
  expect(found.rows[1]).toEqual([2, 'a2', false, null, 'x'])
  await expect.poll(() => atWork('tested')).toBe(0)
})

test('a failed connection test states the reason', async () => {
  expect(await tryDatabase(settings('select nothing'), use())).toMatchObject({
    ok: false,
    message: expect.stringContaining('column "nothing" does not exist'),
    rows: [],
  })
})

function portOf(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  return address.port
}
