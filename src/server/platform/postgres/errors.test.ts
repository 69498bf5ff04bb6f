import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../../test/fixtures/database.ts'
import { createPool } from '../db.ts'
import { isDatabaseUnavailable } from './errors.ts'

let database: TestDatabase
let pool: Pool
beforeAll(async () => {
  database = await testDatabase()
  pool = createPool({ url: database.url, max: 2 })
})
afterAll(() => pool.end())

const failure = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )

describe('the database is unavailable', () => {
  test('when no server listens', async () => {
    const closed = new Pool({ connectionString: 'postgresql://a:b@127.0.0.1:1/c' })
    expect(isDatabaseUnavailable(await failure(closed.query('select 1')))).toBe(true)
    const noSocket = new Pool({ host: '/nonexistent', user: 'a', database: 'b' })
    expect(isDatabaseUnavailable(await failure(noSocket.query('select 1')))).toBe(true)
  })

  test('when it ends a connection in the middle of a query', async () => {
    const error = await failure(pool.query('select pg_terminate_backend(pg_backend_pid())'))
    expect(isDatabaseUnavailable(error)).toBe(true)
  })

  // What a process reads that was frozen within a transaction, if it sends another statement first.
  test.each(['25P03', '25P04', '57P05'])('when it ends an idle session (%s)', async (code) => {
    const error = await failure(pool.query(`do $$ begin raise 'over' using errcode = '${code}'; end $$`))
    expect(error).toMatchObject({ code })
    expect(isDatabaseUnavailable(error)).toBe(true)
  })

  test('when no connection of the pool gets free in time', async () => {
    const small = new Pool({ connectionString: database.url, max: 1 })
    const held = await small.connect()
    small.options.connectionTimeoutMillis = 20
    expect(isDatabaseUnavailable(await failure(small.query('select 1')))).toBe(true)
    held.release()
    await small.end()
  })
})

describe('the database is available', () => {
  test.each([
    'select * from nothing',
    'select 1/0',
    "select 'a'::int",
    'insert into settings values (null, null)',
  ])('when it refuses %s', async (query) => {
    expect(isDatabaseUnavailable(await failure(pool.query(query)))).toBe(false)
  })

  test('when a statement is wrong', () => {
    expect(isDatabaseUnavailable(new TypeError('x is not a function'))).toBe(false)
    expect(
      isDatabaseUnavailable(Object.assign(new Error('no such file'), { code: 'ENOENT', syscall: 'open' })),
    ).toBe(false)
  })
})
