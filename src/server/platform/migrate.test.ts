import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/fixtures/database.ts'
import { migrate, missingMigrations, readMigrations } from './migrate.ts'

let database: TestDatabase
let client: Client
let folder: string

beforeEach(async () => {
  database = await testDatabase()
  client = new Client({ connectionString: database.url })
  await client.connect()
  await client.query('drop table schema_migrations')
  folder = await mkdtemp(join(tmpdir(), 'rowferry-sql-'))
})

afterEach(async () => {
  await client.end()
  await database.drop()
  await rm(folder, { recursive: true })
})

const file = (name: string, sql: string) => writeFile(join(folder, name), sql)
const run = () => migrate({ url: database.url, folder })
const versions = async () =>
  (await client.query('select version from schema_migrations order by version')).rows.map(
    (row) => row.version,
  )

it('applies the files in order and each of them once', async () => {
  await file('0002_second.sql', 'insert into steps values (2);')
  await file('0001_first.sql', 'create table steps (n int); insert into steps values (1);')
  expect((await run()).map(({ version }) => version)).toEqual([1, 2])
  await file('0003_third.sql', 'insert into steps values (3);')
  expect((await run()).map(({ version }) => version)).toEqual([3])
  expect((await client.query('select n from steps')).rows).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }])
})

it('lets any number of processes start at once', async () => {
  await file('0001_first.sql', 'create table steps (n int); select pg_sleep(0.05);')
  await file('0002_second.sql', 'insert into steps values (2);')
  const applied = await Promise.all(Array.from({ length: 8 }, run))
  expect(applied.flat()).toHaveLength(2)
  expect((await client.query('select n from steps')).rows).toEqual([{ n: 2 }])
})

it('keeps nothing of a file that fails, and everything before it', async () => {
  await file('0001_first.sql', 'create table steps (n int);')
  await file('0002_broken.sql', 'insert into steps values (2); select 1 / 0;')
  await expect(run()).rejects.toThrow('division by zero')
  expect(await versions()).toEqual([1])
  expect((await client.query('select n from steps')).rows).toEqual([])
})

it('refuses a database that a newer version changed incompatibly, and no other', async () => {
  await file('0001_first.sql', 'create table steps (n int);')
  await run()
  await file('0002_kind.sql', 'alter table steps add column kind text;')
  await run()
  await rm(join(folder, '0002_kind.sql'))
  expect(await missingMigrations(database.db, folder)).toEqual([])
  expect(await run()).toEqual([])

  await file('0002_kind.sql', 'alter table steps add column kind text;')
  await file('0003_gone.sql', '-- oldest program: 0002\nalter table steps drop column n;')
  await run()
  await rm(join(folder, '0003_gone.sql'))
  expect(await missingMigrations(database.db, folder)).toEqual([])
  await rm(join(folder, '0002_kind.sql'))
  const refusal = /only programs from 2 on can work; this one knows 1\./
  await expect(run()).rejects.toThrow(refusal)
  await expect(missingMigrations(database.db, folder)).rejects.toThrow(refusal)
})

it('works with a migration list from before compatibility was recorded', async () => {
  await file('0001_first.sql', 'create table steps (n int);')
  await run()
  await client.query('alter table schema_migrations drop column oldest_program')
  expect(await missingMigrations(database.db, folder)).toEqual([])
  await file('0002_second.sql', 'insert into steps values (2);')
  expect((await run()).map(({ version }) => version)).toEqual([2])
})

it('refuses a file that was changed after it had been applied', async () => {
  await file('0001_first.sql', 'select 1;')
  await run()
  await file('0001_first.sql', 'select 2;')
  await expect(run()).rejects.toThrow('Migration 1 (first) was changed after it had been applied')
})

it('refuses a database with a migration whose file is gone', async () => {
  await file('0001_first.sql', 'select 1;')
  await file('0002_second.sql', 'select 1;')
  await run()
  await rm(join(folder, '0001_first.sql'))
  await expect(run()).rejects.toThrow('Migration 1 (first) was applied to this database but its file is gone')
})

it('accepts a database that a newer version has migrated further', async () => {
  await file('0001_first.sql', 'select 1;')
  await file('0002_newer.sql', 'select 1;')
  await run()
  await rm(join(folder, '0002_newer.sql'))
  expect(await run()).toEqual([])
})

it('refuses a file that arrives after a higher number was applied', async () => {
  await file('0002_second.sql', 'select 1;')
  await run()
  await file('0001_late.sql', 'select 1;')
  await expect(run()).rejects.toThrow('Migration 1 (late) was never applied though 2 was: renumber it')
})

it('refuses misnamed files and a number used twice', async () => {
  await file('0001_a.sql', '')
  await file('0001_b.sql', '')
  await expect(readMigrations(folder)).rejects.toThrow('two files numbered 1')
  await rm(join(folder, '0001_b.sql'))
  await file('2-b.sql', '')
  await expect(readMigrations(folder)).rejects.toThrow('sql/2-b.sql is not named like')
})

it('lists the pending files of a database', async () => {
  await file('0001_first.sql', 'select 1;')
  await run()
  await file('0002_second.sql', 'select 1;')
  expect(await missingMigrations(database.db, folder)).toEqual([2])
  await run()
  expect(await missingMigrations(database.db, folder)).toEqual([])
})
