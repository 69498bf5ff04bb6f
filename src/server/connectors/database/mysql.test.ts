import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { databaseSettings, databaseUse, readAll } from '../../../../test/fixtures/database-origins.ts'
import { hasMariaDb, type MariaDb, startMariaDb } from '../../../../test/processes/mariadb.ts'
import { readDatabase } from './source.ts'
import { testDatabase as tryDatabase } from './test.ts'

const Processes = z.tuple([z.object({ id: z.number() })])
const use = (fields = {}) => databaseUse({ own_database: '', ...fields })
const failure = (kind: string, message: RegExp) =>
  expect.objectContaining({ name: 'OriginFailure', kind, message: expect.stringMatching(message) })

describe.runIf(hasMariaDb)('MariaDB', () => {
  let server: MariaDb
  beforeAll(async () => {
    server = await startMariaDb()
    await server.query(`use shop;
      create table items (id int primary key, name text);
      insert into items select seq, concat('Item ', seq) from seq_1_to_5000;
      create function spoil() returns int modifies sql data begin delete from items; return 1; end;
      create procedure escape() begin commit; delete from items; select 1; end;
      create user writer@'%' identified by 'secret'; grant all on *.* to writer@'%'`)
  })
  afterAll(() => server.stop())
  // A user with all rights, so that only the transaction prevents writes.
  const settings = (statement: string) =>
    databaseSettings({
      engine: 'mysql',
      port: server.port,
      database: 'shop',
      user: 'writer',
      password: 'secret',
      privileged_user: true,
      statement,
    })
  const atWork = async (mark: string) =>
    (
      await server.query(
        `select id from information_schema.processlist where user = 'writer' and info like '%${mark}%'`,
      )
    ).length

  test('rows come in the order of the statement, the header first', async () => {
    const { rows, header } = await readAll(settings('select id, name, null from items order by id;'), use())
    expect(header).toEqual(['id', 'name', 'NULL'])
    expect(rows).toHaveLength(5001)
    expect(rows.slice(1, 3)).toEqual([
      [1, 'Item 1'],
      [2, 'Item 2'],
    ])
    expect(rows.at(-1)).toEqual([5000, 'Item 5000'])
  })

  test('a statement without rows has its header', async () => {
    const { rows } = await readAll(settings('select id from items where false'), use())
    expect(rows).toEqual([['id']])
  })

  test.each([
    ['insert into items values (0, 0) returning id', /begins with ‘INSERT’/],
    ['delete from items', /begins with ‘DELETE’/],
    ['select spoil()', /does more than read: Cannot execute statement in a READ ONLY transaction/],
    ['call escape()', /^The statement begins with ‘CALL’: only SELECT, WITH, VALUES and TABLE can be read/],
    ['/*! call escape() */', /begins with none of these/],
    ["execute immediate 'call escape()'", /begins with ‘EXECUTE’/],
    ['show tables', /begins with ‘SHOW’/],
    ['analyze select * from items', /begins with ‘ANALYZE’/],
    ['create table other (a int)', /begins with ‘CREATE’/],
    ['select 1; delete from items', /right syntax to use near 'delete from items'/],
    ['set session transaction read write', /begins with ‘SET’/],
    [`select 1 into outfile '/tmp/rowferry-must-not-be-there'`, /answers no rows/],
    ['shutdown', /begins with ‘SHUTDOWN’/],
  ])('%s is refused', async (statement, message) => {
    await expect(readAll(settings(statement), use())).rejects.toEqual(failure('invalid', message))
    expect((await readAll(settings('select count(*) from items'), use())).rows[1]).toEqual([5000])
  })

  test.each([
    ["grant file on *.* to careless@'%'", /FILE/],
    ["grant all on *.* to careless@'%'", /ALL PRIVILEGES/],
    [
      "create role files; grant select, file on *.* to files; grant files to careless@'%'; set default role files for careless@'%'",
      /FILE/,
    ],
  ])('a user with %s is refused, until that is confirmed', async (grant, right) => {
    await server.query(
      `create user careless@'%' identified by 'secret'; grant select on shop.* to careless@'%'`,
    )
    onTestFinished(() =>
      server.query("drop user careless@'%'; drop role if exists files").then(() => undefined),
    )
    const careless = { ...settings('select count(*) from items'), user: 'careless', privileged_user: false }
    expect((await readAll(careless, use())).rows[1]).toEqual([5000])
    await server.query(grant)
    await expect(readAll(careless, use())).rejects.toEqual(failure('forbidden', right))
    await expect(readAll(careless, use())).rejects.toThrow(
      /^The user ‘careless’ can do more at 127\.0\.0\.1:/,
    )
    expect((await readAll({ ...careless, privileged_user: true }, use())).rows[1]).toEqual([5000])
  })

  test.each(['with a as (select 1 as b) select b from a', 'values (1)', '(select 1)', '-- one\nselect 1'])(
    '%j is read',
    async (statement) => {
      expect((await readAll(settings(statement), use())).rows[1]).toEqual([1])
    },
  )

  test.each([
    ['user', { user: 'nobody' }, 'forbidden', /does not let ‘nobody’ in/],
    ['password', { password: 'hunter2' }, 'forbidden', /does not let ‘writer’ in/],
    ['database', { database: 'nowhere' }, 'not_found', /no database ‘nowhere’/],
    ['port', { port: 1 }, 'unavailable', /127\.0\.0\.1:1 could not be reached.*ECONNREFUSED/],
    ['address', { tls: 'verify' as const }, 'invalid', /can only be verified by a name/],
    ['encryption', { tls: 'verify' as const, host: 'localhost' }, 'invalid', /no encrypted connection/],
    ['statement', { statement: 'select nam\nform items' }, 'invalid', /items' at line 2/],
    ['column', { statement: 'select nam from items' }, 'invalid', /Unknown column 'nam'/],
  ])('the message about a wrong %s does not contain the password', async (_what, fields, kind, message) => {
    const wrong = { ...settings('select 1'), ...fields }
    const refused = await readAll(wrong, use()).catch((error: Error) => error)
    expect(refused).toEqual(failure(kind, message))
    expect(String(refused)).not.toContain(wrong.password)
  })

  test('a name that resolves to an address that is not allowed is refused when the socket connects', async () => {
    const named = { ...settings('select 1'), host: 'localhost' }
    await expect(readAll(named, use({ rules: { entries: ['localhost'] } }))).rejects.toEqual(
      failure('forbidden', /^localhost leads to (127\.0\.0\.1|::1), a loopback address/),
    )
  })

  test('a statement ends on the server when the run is stopped', async () => {
    const stop = new AbortController()
    const reading = readAll(settings('select sleep(1000) as stopped'), use({ signal: stop.signal }))
    await expect.poll(() => atWork('stopped')).toBe(1)
    stop.abort(new Error('stopped'))
    await expect(reading).rejects.toThrow('stopped')
    await expect.poll(() => atWork('stopped')).toBe(0)
  })

  // When this statement is killed, it returns 0 instead of an error.
  test('a statement ends on the server at its time limit', async () => {
    const slow = { ...settings('select benchmark(1000000000000, 1) as slow'), timeout_seconds: 1 }
    await expect(readAll(slow, use())).rejects.toEqual(failure('unavailable', /longer than 1 s/))
    await expect.poll(() => atWork('slow')).toBe(0)
  })

  test('a read fails if the server closes the connection', async () => {
    const many = settings(`select seq, repeat('x', 1000) as broken from seq_1_to_100000000`)
    const reading = readDatabase(many, use()).batches[Symbol.asyncIterator]()
    await reading.next()
    const [{ id }] = Processes.parse(
      await server.query(
        `select id from information_schema.processlist where info like '%as broken%' and user = 'writer'`,
      ),
    )
    await server.query(`kill connection ${id}`)
    const rest = async () => {
      while (!(await reading.next()).done);
    }
    await expect(rest()).rejects.toEqual(failure('unavailable', /connection broke|answered/))
  })

  test('a statement waits while its rows are not read, without using memory, and ends when reading stops', async () => {
    const many = settings(`select seq, repeat('x', 1000) as many from seq_1_to_100000000`)
    const reading = readDatabase(many, use()).batches[Symbol.asyncIterator]()
    await reading.next()
    const before = process.memoryUsage.rss()
    await expect
      .poll(() =>
        server.query(
          `select state from information_schema.processlist where info like '%as many%' and user = 'writer'`,
        ),
      )
      .toEqual([{ state: 'Writing to net' }])
    expect(process.memoryUsage.rss() - before).toBeLessThan(50_000_000)
    await reading.return?.()
    await expect.poll(() => atWork('many')).toBe(0)
  })

  test('a connection test reads the first rows and ends the statement', async () => {
    const found = await tryDatabase(
      settings('select seq as tested, now() as b from seq_1_to_100000000'),
      use(),
    )
    expect(found).toMatchObject({
      ok: true,
      columns: [
        { name: 'tested', type: 'number' },
        { name: 'b', type: 'text' },
      ],
      rows_read: 1000,
      has_more: true,
    })
    await expect.poll(() => atWork('tested')).toBe(0)
  })
})

test('a MySQL server that does not respond is given up when the run ends', async () => {
  const server = createServer(() => {}).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const stop = new AbortController()
  const silent = databaseSettings({ engine: 'mysql', port, database: 'a', user: 'b' })
  const reading = readAll(silent, use({ signal: stop.signal }))
  await once(server, 'connection')
  stop.abort(new Error('stopped'))
  await expect(reading).rejects.toThrow('stopped')
})
