import { sql } from 'kysely'
import { expect, it, vi } from 'vitest'
import { testDatabase } from '../../../test/fixtures/database.ts'
import { until } from '../../../test/processes/processes.ts'
import { createDb, createPool } from './db.ts'

it('continues after the server closed its idle connections', async () => {
  const { url, db } = await testDatabase()
  const broken = vi.fn()
  const pool = createPool({ url, onIdleError: broken })
  await pool.query('select 1')
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`.execute(db)
  await until('the pool has heard of it', () => broken.mock.calls.length > 0)
  expect((await pool.query('select 1 as n')).rows).toEqual([{ n: 1 }])
  await pool.end()
})

it('continues after the server closed a connection that was idle in a transaction', async () => {
  const { url, db } = await testDatabase()
  const cut = createDb({ url })
  const transaction = cut.transaction().execute(async (trx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx)
    const pid = rows[0]?.pid ?? 0
    await sql`select pg_terminate_backend(${pid})`.execute(db)
    await until('the server has closed it', async () => {
      const { rows: left } = await sql`select from pg_stat_activity where pid = ${pid}`.execute(db)
      return left.length === 0
    })
    await sql`select 1`.execute(trx)
  })
  await expect(transaction).rejects.toThrow()
  expect((await sql`select 1 as n`.execute(cut)).rows).toEqual([{ n: 1 }])
  await cut.destroy()
})

it('fails within seconds without a server', async () => {
  const db = createDb({ url: 'postgresql://nobody@127.0.0.1:9/none' })
  await expect(sql`select 1`.execute(db)).rejects.toThrow('ECONNREFUSED')
  await db.destroy()
})
