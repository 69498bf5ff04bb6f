import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Pool, type PoolClient } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { databasePerTest } from '../../../test/database.ts'
import { TcpProxy } from '../../../test/tcp-proxy.ts'
import { breakLostConnections } from './lost-connections.ts'

const SILENT_MS = 600

const database = databasePerTest()
let proxy: TcpProxy
let client: PoolClient

beforeEach(async () => {
  const url = new URL(database.url)
  proxy = await TcpProxy.before(Number(url.port))
  url.port = String(proxy.port)
  const pool = new Pool({ connectionString: url.href })
  pool.on('error', () => {})
  breakLostConnections(pool, url.href, SILENT_MS)
  client = await pool.connect()
  client.on('error', () => {})
  onTestFinished(async () => {
    client.release(true)
    await pool.end()
    await proxy.close()
  })
})

const LOST = 'An answer of the database got lost on the way'

test('who waits for an answer that got lost hears of it, and the session’s locks are free', async () => {
  await client.query('create table shelf (n int)')
  await client.query('begin; lock table shelf')
  proxy.silence()
  await expect(client.query('select 1')).rejects.toThrow(LOST)
  const other = await client.query('select 1').catch((error: Error) => error)
  expect(other).toBeInstanceOf(Error)
  const direct = new Pool({ connectionString: database.url, max: 1 })
  await direct.query('begin; lock table shelf; commit')
  await direct.end()
})

test('so does who sends rows that got lost', async () => {
  await client.query('create table shelf (n int)')
  const rows = client.query(copyFrom('copy shelf from stdin'))
  await new Promise((resolve) => rows.write('1\n', resolve))
  proxy.silence()
  await expect(pipeline(Readable.from(['2\n']), rows)).rejects.toThrow()
})

test('a statement that takes long is left alone, and so is one that waits for a lock', async () => {
  await client.query('create table shelf (n int)')
  const direct = new Pool({ connectionString: database.url, max: 1 })
  const holder = await direct.connect()
  await holder.query('begin; lock table shelf')
  const waiting = client.query('select n from shelf')
  await holder.query('select pg_sleep($1)', [(SILENT_MS * 5) / 1000])
  await holder.query('commit')
  expect((await waiting).rows).toEqual([])
  holder.release()
  await direct.end()
})

test('a connection that rests is left alone, and what it is asked later is answered', async () => {
  const { rows } = await client.query(`select pg_backend_pid() as pid`)
  await new Promise((resolve) => setTimeout(resolve, SILENT_MS * 3))
  expect((await client.query(`select pg_backend_pid() as pid`)).rows).toEqual(rows)
})
