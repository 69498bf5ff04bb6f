import { copyFile, writeFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { Client } from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  aSessionAndAToken,
  BACKUP_KEYS,
  backupWorld,
  restorableRows,
} from '../../../../test/fixtures/backups.ts'
import { databaseBefore } from '../../../../test/fixtures/earlier-database.ts'
import { startEngine } from '../../../../test/fixtures/engine.ts'
import { aConfig, aConnectedUser, aRun, aSyncTask, aUser } from '../../../../test/fixtures/factories.ts'
import { RELEASE_KEY, releaseFile } from '../../../../test/fixtures/releases.ts'
import { deriveKeys } from '../auth/keys.ts'
import type { Db } from '../db.ts'
import { lockMigrations, readMigrations, requireMigrated } from '../migrate.ts'

const world = backupWorld()
const { backup, restore, restored } = world
const inTarget = (...statements: string[]) =>
  restored(async (db) => {
    for (const statement of statements) await sql.raw(statement).execute(db)
  })
const names = () => restored((db) => db.selectFrom('tasks').select('name').execute())

describe('a restore', () => {
  test('names a missing file and a file that is not a backup', async () => {
    await expect(restore()).rejects.toThrow(/rowferry\.backup cannot be read: no such file or directory\.$/)
    await writeFile(world.file, 'a,b\n1,2\n')
    await expect(restore()).rejects.toThrow('is no whole backup of Rowferry: a line of it is not JSON.')
    await expect(restore({ file: world.folder })).rejects.toThrow(/illegal operation on a directory\.$/)
  })

  test('refuses a backup of a newer version with its number', async () => {
    const newest = Math.max(...(await readMigrations()).map(({ version }) => version))
    await sql`insert into schema_migrations (version, name, checksum) values (${newest + 1}, 'later', '')`.execute(
      world.from.db,
    )
    await backup()
    await expect(restore()).rejects.toThrow(`schema ${newest + 1}); this one knows ${newest}`)
  })

  test('names the missing key; the old key opens it as SECRET_KEY_OLD, and its sealed values are counted', async () => {
    await aConnectedUser(world.from.db)
    await sql`update grants set key_id = ${BACKUP_KEYS.grantsKeyId}`.execute(world.from.db)
    await backup()
    const now = deriveKeys('another key, which is set by now')
    await expect(restore({ keys: now })).rejects.toThrow(
      `is signed under another key (${BACKUP_KEYS.grantsKeyId}) than SECRET_KEY (${now.grantsKeyId}): set SECRET_KEY to the one of then.`,
    )
    expect(await restore({ keys: { ...now, old: BACKUP_KEYS } })).toMatchObject({ sealed_by_others: 1 })
  })

  test('revokes tokens unless --keep-tokens is set', async () => {
    const { id } = await aUser(world.from.db)
    await aSessionAndAToken(world.from.db, id)
    await backup()
    expect(await restore()).toMatchObject({ left_out: { api_tokens: 1 } })
    const tokens = (db: Db) => db.selectFrom('api_tokens').select('name').execute()
    expect(await restored(tokens)).toEqual([])
    await inTarget('delete from users')
    expect(await restore({ keepTokens: true })).toMatchObject({ left_out: {}, rows: { api_tokens: 1 } })
    expect(await restored(tokens)).toEqual([{ name: 'Nightly' }])
    expect(await restored((db) => db.selectFrom('sessions').select('user_id').execute())).toEqual([])
  })

  test('restores a backup of version 0.1.0 only with --unsigned, without its sessions and tokens', async () => {
    await copyFile(releaseFile('0.1.0'), world.file)
    const keys = deriveKeys(RELEASE_KEY)
    await expect(restore({ keys })).rejects.toThrow(
      'carries no signature: backups of version 0.1.0 have none',
    )
    expect(await names()).toEqual([])
    const { rows, left_out } = await restore({ keys, allowUnsigned: true })
    expect(rows.users).toBeGreaterThan(1)
    expect(left_out).toEqual({ sessions: expect.any(Number), api_tokens: 1 })
    expect(left_out.sessions).toBeGreaterThan(0)
    await restored(async (db) => {
      expect(await db.selectFrom('sessions').select('user_id').execute()).toEqual([])
      expect(await db.selectFrom('api_tokens').select('id').execute()).toEqual([])
    })
  })

  test('migrates a backup of an earlier version to this one, also in a database prepared by an earlier one', async () => {
    const [earlier, target] = [await databaseBefore(33), await databaseBefore(30)]
    await sql`insert into task_types (category, name, chunk_size) values ('source', 'Of then', 700)`.execute(
      earlier.db,
    )
    await backup({ url: earlier.url })
    await target.db.destroy()
    await restore({ url: target.url })
    await restore()
    await restored(async (db) => {
      await requireMigrated(db)
      expect(await db.selectFrom('task_types').select('name').execute()).toContainEqual({ name: 'Of then' })
    })
  })
})

describe('a database that is restored into', () => {
  test('may be empty', async () => {
    await aSyncTask(world.from.db, { name: 'Back' })
    await backup()
    await inTarget('drop schema public cascade', 'create schema public')
    await restore()
    expect(await names()).toEqual([{ name: 'Back' }])
  })

  test('may have a queue with jobs of deleted runs', async () => {
    await backup()
    await restored(async (db) => {
      const engine = await startEngine({ db, url: world.to.url }, [])
      await engine.stop()
      await sql`insert into pgboss.job (name, data) values ('sync-runs', '{}')`.execute(db)
    })
    await restore()
    const jobs = await restored((db) => sql`select from pgboss.job`.execute(db))
    expect(jobs.rows).toEqual([])
  })

  test.each<[string, string[], string]>([
    ['a table', ['create table customers as select generate_series(1, 1000) as id'], 'table “customers”'],
    ['a view', ['create view "Big ""deals""" as select 1 as one'], 'view “Big "deals"”'],
    [
      'a materialized view',
      ['create materialized view totals as select 1 as one'],
      'materialized view “totals”',
    ],
    ['a sequence', ['create sequence numbers'], 'sequence “numbers”'],
    ['a type', ["create type mood as enum ('well')"], 'type “mood”'],
    [
      'a function',
      ["create function one(n int) returns int language sql as 'select 1'"],
      'function “one(n integer)”',
    ],
    [
      'what lies in a schema of its own and depends on ours',
      ['create schema sales', 'create view sales.people as select id from public.users'],
      'view “sales.people”',
    ],
    [
      'a queue of another program',
      ['create schema pgboss', 'create table pgboss.version ()', 'create table pgboss.job ()'].concat(
        "create table pgboss.queue as select 'mails'::text as name",
      ),
      'table “pgboss.job”, table “pgboss.queue”, table “pgboss.version”',
    ],
  ])('keeps objects that are not Rowferry’s: %s', async (_what, statements, listed) => {
    await aSyncTask(world.from.db)
    await backup()
    await inTarget(...statements)
    await expect(restore()).rejects.toThrow(
      `The database holds what is not Rowferry’s: ${listed}. Nothing was changed. Restore into a database of its own.`,
    )
    // Each of them exists already.
    await expect(inTarget(statements.at(-1) ?? '')).rejects.toThrow(/already exists|does not exist/)
    expect(await names()).toEqual([])
  })

  test.each([
    ['with a list of migrations of its own', 'create table schema_migrations (version varchar primary key)'],
    ['without a list of migrations', 'create table users (id int)'],
  ])('may be another program’s %s', async (_which, statement) => {
    await backup()
    await inTarget('drop schema public cascade', 'create schema public', statement)
    await inTarget('create table customers as select generate_series(1, 1000) as id')
    await expect(restore()).rejects.toThrow(
      /^The database holds what is not Rowferry’s: table “customers”, table “/,
    )
    const { rows } = await restored((db) => sql`select id from customers`.execute(db))
    expect(rows).toHaveLength(1000)
  })

  test('gets a shortened message for a long list of tables', async () => {
    await backup()
    await inTarget(...Array.from({ length: 12 }, (_, n) => `create table t${String(n).padStart(2, '0')} ()`))
    await expect(restore()).rejects.toThrow('table “t09” and 2 more.')
  })

  test.each<[string, (db: Db) => Promise<unknown>]>([
    ['users: 1', (db) => aUser(db)],
    ['tasks: 1', (db) => aSyncTask(db)],
    ['tasks: 1, runs: 1', async (db) => aRun(db, (await aSyncTask(db)).id)],
    ['tasks: 1', (db) => aConfig(db)],
    [
      'connections: 1',
      (db) => sql`insert into connections (kind, name, settings) values ('api', 'shop', '{}')`.execute(db),
    ],
  ])('keeps its data: %s', async (listed, fill) => {
    await backup()
    await restored(fill)
    const before = await restored(restorableRows)
    await expect(restore()).rejects.toThrow(
      `The database has data already (${listed}): restore into a new one`,
    )
    expect(await restored(restorableRows)).toEqual(before)
  })

  test('must not be in use by any client', async () => {
    await backup()
    await restored(async (db) => {
      await aSyncTask(db)
      await expect(restore()).rejects.toThrow('The database is in use')
      await sql`create table customers (id int)`.execute(db)
      await expect(restore()).rejects.toThrow('what is not Rowferry’s: table “customers”')
    })
  })

  test('accepts a backup once', async () => {
    await aSyncTask(world.from.db, { name: 'Back' })
    await backup()
    await restore()
    await expect(restore()).rejects.toThrow('The database has data already')
    expect(await names()).toEqual([{ name: 'Back' }])
  })

  test('accepts one of two simultaneous restores, completely', async () => {
    await aSyncTask(world.from.db, { name: 'Of both' })
    await backup()
    const other = `${world.file}-2`
    await aSyncTask(world.from.db, { name: 'Of the second' })
    await backup({ file: other })
    const ends = await Promise.allSettled([restore(), restore({ file: other })])
    const reasons = ends.flatMap((end) => (end.status === 'rejected' ? [String(end.reason)] : []))
    for (const reason of reasons)
      expect(reason).toMatch(/^BackupError: The database (is in use|has data already)/)
    const restoredNames = [[{ name: 'Of both' }], [{ name: 'Of both' }, { name: 'Of the second' }]]
    const expected = ends.flatMap((end, n) => (end.status === 'fulfilled' ? [restoredNames[n]] : []))
    expect([await names()]).toEqual(expected.length > 0 ? expected : [[]])
  })

  test('loses nothing before concurrent preparations are done and their result is checked', async () => {
    await backup()
    const other = new Client({ connectionString: world.to.url })
    onTestFinished(() => other.end())
    await other.connect()
    await other.query('begin')
    await lockMigrations(other)
    const refused = expect(restore()).rejects.toThrow('has data')
    // The server has databases of other tests, too.
    const waits = `select from pg_locks l join pg_database d on d.oid = l.database
      where not granted and locktype = 'advisory' and datname = current_database()`
    await expect.poll(async () => (await other.query(waits)).rowCount).toBe(1)
    await other.query("insert into tasks (category, name, sort_order) values ('source', 'Kept', 1)")
    await other.query('commit')
    // The client disconnects only after it was seen: the restore waits for it.
    const looked = `select from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and query like '%client backend%'`
    await expect.poll(async () => (await other.query(looked)).rowCount).toBe(1)
    await other.end()
    await refused
    expect(await names()).toEqual([{ name: 'Kept' }])
  })
})
