import { lchownSync, readdirSync, statSync } from 'node:fs'
import { chown, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { PgBoss } from 'pg-boss'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { testFolder } from '../../../../test/fixtures/folders.ts'
import { migrate } from '../migrate.ts'
import { systemAccount } from '../system-account.ts'
import { ensureApplicationRole } from './application-role.ts'
import { type EmbeddedPostgres, startPostgres } from './start-postgres.ts'

const settings = { fsync: 'off', shared_buffers: '16MB' }
const NOBODY = 65_534
const isRoot = process.getuid?.() === 0

let dataDir: string
let server: EmbeddedPostgres

beforeEach(async () => {
  dataDir = join(await testFolder(), 'data')
  server = await startPostgres({ dataDir, settings })
})
afterEach(() => server.stop())

async function query(url: string, ...statements: string[]): Promise<unknown[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    let values: unknown[] = []
    for (const text of statements) values = (await client.query({ text, rowMode: 'array' })).rows.flat()
    return values
  } finally {
    await client.end()
  }
}

/** A queue as the application creates it. */
async function fillQueue(url: string): Promise<void> {
  const boss = new PgBoss(url)
  // A connection may outlive the pool's end, and the server may end before it.
  boss.on('error', () => undefined)
  await boss.start()
  await boss.createQueue('kept')
  await boss.send('kept', { n: 1 })
  await boss.stop({ graceful: false })
}

/** Recreates the state of earlier versions: the application's role is the cluster's first superuser. */
async function asBefore(): Promise<void> {
  const helper = new URL(server.adminUrl)
  helper.username = 'helper'
  helper.password = 'helper'
  const app = new URL(server.url)
  await query(server.adminUrl, "create role helper superuser login password 'helper'")
  await query(helper.href, 'alter database rowferry owner to postgres', 'drop role rowferry')
  await query(helper.href, 'alter role postgres rename to rowferry')
  await query(helper.href, `alter role rowferry password '${app.password}'`)
  await query(app.href, 'drop role helper')
  await migrate({ url: app.href })
  await fillQueue(app.href)
  await query(
    app.href,
    "create type mood as enum ('calm')",
    'create table moods (id serial primary key, mood mood)',
    "insert into moods (mood) values ('calm')",
    'create view calm as select * from moods',
    'create schema aside',
    'create table aside.kept as select 7 as n',
    'create function seven() returns int language sql return 7',
  )
}

/** Objects in the database that the application does not own. */
const foreign = (url: string) =>
  query(
    url,
    `with mine as (select oid from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema')
     select relname::text from pg_class where relnamespace in (select oid from mine) and relowner <> 'rowferry'::regrole
     union all select proname from pg_proc where pronamespace in (select oid from mine) and proowner <> 'rowferry'::regrole
     union all select typname from pg_type where typnamespace in (select oid from mine) and typowner <> 'rowferry'::regrole
     union all select nspname from pg_namespace
       where oid in (select oid from mine) and nspname <> 'public' and nspowner <> 'rowferry'::regrole
     union all select datname from pg_database where datname = 'rowferry' and datdba <> 'rowferry'::regrole`,
  )
const superusers = (url: string) => query(url, 'select rolname::text from pg_roles where rolsuper order by 1')

it("gives the application its own role, which owns the database and has no rights on the server's", async () => {
  await migrate({ url: server.url })
  await fillQueue(server.url)
  expect(await foreign(server.url)).toEqual([])
  expect(await superusers(server.url)).toEqual(['postgres'])
  for (const statement of [
    "copy (select 1) to '/tmp/out'",
    "select pg_read_file('PG_VERSION')",
    'create role other',
  ]) {
    await expect(query(server.url, statement)).rejects.toThrow(/permission denied/)
  }
})

it('removes superuser from the application in data of an earlier version, permanently', async () => {
  await asBefore()
  await server.stop()
  const file = join(dataDir, 'postgres.json')
  const { admin_password, ...before } = JSON.parse(await readFile(file, 'utf8'))
  expect(admin_password).toMatch(/^\S{32}$/)
  await writeFile(file, JSON.stringify(before))
  const home = join(dataDir, 'postgres')
  if (isRoot) {
    for (const entry of readdirSync(home, { recursive: true }))
      lchownSync(join(home, String(entry)), NOBODY, NOBODY)
    await chown(home, NOBODY, NOBODY)
  }

  for (const _start of ['that changes it', 'that finds it changed']) {
    server = await startPostgres({ dataDir, settings })
    expect(await superusers(server.url)).toEqual(['postgres'])
    expect(await foreign(server.url)).toEqual([])
    expect(await query(server.url, 'select mood::text from calm')).toEqual(['calm'])
    expect(await query(server.url, 'select n + seven() from aside.kept')).toEqual([14])
    await query(server.url, "insert into moods (mood) values ('calm')", 'delete from moods where id > 1')
    expect(await migrate({ url: server.url })).toEqual([])
    await fillQueue(server.url)
    await server.stop()
  }
  server = await startPostgres({ dataDir, settings })
  if (isRoot) {
    expect(statSync(home)).toMatchObject({ uid: 0 })
    expect(statSync(join(home, 'data/base'))).toMatchObject({ uid: systemAccount()?.uid ?? NOBODY })
  }
})

it('resumes an interrupted change', async () => {
  await asBefore()
  await query(server.url, "create role rowferry_upgrade superuser login password 'lost'")
  const access = { adminUrl: server.adminUrl, applicationUrl: server.url }
  await ensureApplicationRole(access)
  expect(await superusers(server.url)).toEqual(['postgres'])
  await query(server.adminUrl, "create role rowferry_upgrade superuser login password 'lost'")
  await ensureApplicationRole(access)
  expect(await superusers(server.url)).toEqual(['postgres'])
})

it('creates role, database and password according to the address', async () => {
  const other = new URL(server.url)
  other.username = 'other-app'
  other.password = "it's new"
  other.pathname = 'other-app'
  await ensureApplicationRole({ adminUrl: server.adminUrl, applicationUrl: other.href })
  expect(await query(other.href, 'select current_user::text')).toEqual(['other-app'])
  other.password = 'another'
  await ensureApplicationRole({ adminUrl: server.adminUrl, applicationUrl: other.href })
  await migrate({ url: other.href })
})
