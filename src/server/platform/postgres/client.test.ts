import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import { Pool, type PoolClient } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { Renumbered } from '../../../../test/fakes/pooler.ts'
import { TcpProxy } from '../../../../test/fakes/tcp-proxy.ts'
import { databasePerTest } from '../../../../test/fixtures/database.ts'
import { createDb, createPool } from '../db.ts'
import { prepared } from './client.ts'

const SILENT_MS = 600

const database = databasePerTest()
let proxy: TcpProxy
let client: PoolClient

beforeEach(async () => {
  client = await connected(await TcpProxy.before(Number(new URL(database.url).port)))
})

/** A connection through a proxy. */
async function connected(through: TcpProxy): Promise<PoolClient> {
  proxy = through
  const url = new URL(database.url)
  url.port = String(proxy.port)
  const pool = createPool({ url: url.href, silence_limit_ms: SILENT_MS })
  const client = await pool.connect()
  onTestFinished(async () => {
    client.release(true)
    await pool.end()
    await through.close()
  })
  return client
}

const LOST = 'An answer of the database got lost on the way'

test('a caller whose reply was lost gets an error, and the session’s locks are released', async () => {
  await losesAnAnswer()
})

test('the same behind a pooler, which uses its own connection ids', async () => {
  // A process id that belongs to another client, which must not be ended.
  const other = new Pool({ connectionString: database.url, max: 1 })
  const { rows } = await other.query('select pg_backend_pid() as number')
  const { port } = new URL(database.url)
  client = await connected(await TcpProxy.before(Number(port), () => new Renumbered(rows[0].number)))
  await losesAnAnswer()
  expect((await other.query('select pg_backend_pid() as number')).rows).toEqual(rows)
  await other.end()
})

async function losesAnAnswer(): Promise<void> {
  await client.query('create table books (n int)')
  await client.query('begin; lock table books')
  proxy.silence()
  await expect(client.query('select 1')).rejects.toThrow(LOST)
  const other = await client.query('select 1').catch((error: Error) => error)
  expect(other).toBeInstanceOf(Error)
  const direct = new Pool({ connectionString: database.url, max: 1 })
  await direct.query('begin; lock table books; commit')
  await direct.end()
}

test('the same if the server ended the session and that message was lost, too', async () => {
  const { rows } = await client.query('select pg_backend_pid() as number')
  proxy.silence()
  const direct = new Pool({ connectionString: database.url, max: 1 })
  const ended = await direct.query('select pg_terminate_backend($1, 60000) as over', [rows[0].number])
  expect(ended.rows).toEqual([{ over: true }])
  await direct.end()
  await expect(client.query('select 1')).rejects.toThrow(LOST)
})

test('a caller whose sent rows were lost gets an error', async () => {
  await client.query('create table books (n int)')
  const rows = client.query(copyFrom('copy books from stdin'))
  await new Promise((resolve) => rows.write('1\n', resolve))
  proxy.silence()
  await expect(pipeline(Readable.from(['2\n']), rows)).rejects.toThrow()
})

test('a long statement is not interrupted, nor is one that waits for a lock', async () => {
  await client.query('create table books (n int)')
  const direct = new Pool({ connectionString: database.url, max: 1 })
  const holder = await direct.connect()
  await holder.query('begin; lock table books')
  const waiting = client.query('select n from books')
  await holder.query('select pg_sleep($1)', [(SILENT_MS * 5) / 1000])
  await holder.query('commit')
  expect((await waiting).rows).toEqual([])
  holder.release()
  await direct.end()
})

test('an idle connection is kept and usable later', async () => {
  const { rows } = await client.query(`select pg_backend_pid() as pid`)
  await new Promise((resolve) => setTimeout(resolve, SILENT_MS * 3))
  expect((await client.query(`select pg_backend_pid() as pid`)).rows).toEqual(rows)
})

test('a marked statement is prepared once per connection, whatever its parameters', async () => {
  const db = createDb({ url: database.url, max: 1 })
  const add = async (a: number, b: number) => {
    const { rows } = await sql<{ sum: number }>`${prepared} select ${a}::int + ${b}::int as sum`.execute(db)
    return rows[0]?.sum
  }
  expect([await add(1, 2), await add(3, 4)]).toEqual([3, 7])
  await db.transaction().execute(async (trx) => {
    await sql`${prepared} select ${1}::int - ${2}::int as difference`.execute(trx)
  })
  await sql`select ${1}::int * ${2}::int as product`.execute(db)
  const { rows } = await sql<{ statement: string; uses: number }>`
    select statement, (generic_plans + custom_plans)::int as uses from pg_prepared_statements order by prepare_time`.execute(
    db,
  )
  expect(rows).toEqual([
    { statement: expect.stringContaining('as sum'), uses: 2 },
    { statement: expect.stringContaining('as difference'), uses: 1 },
  ])
  await db.destroy()
})
