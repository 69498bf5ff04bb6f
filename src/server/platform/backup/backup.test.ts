import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { type TestDatabase, testDatabase } from '../../../../test/database.ts'
import { databaseBefore } from '../../../../test/earlier-database.ts'
import { aConnectedUser, aCopy, aRun, aSourceTask, aSyncTask } from '../../../../test/factories.ts'
import { NASTY_TEXTS } from '../../../../test/nasty-texts.ts'
import { TcpProxy } from '../../../../test/tcp-proxy.ts'
import { createDb, type Db } from '../db.ts'
import { holdMigrations, readMigrations, requireMigrated } from '../migrate.ts'
import { restoreBackup } from './restore-backup.ts'
import { writeBackup } from './write-backup.ts'

let from: TestDatabase
let to: TestDatabase
let folder: string
let file: string

beforeEach(async () => {
  from = await testDatabase()
  to = await testDatabase()
  // Restoring wants nobody else in it.
  await to.db.destroy()
  await expect.poll(connections).toBe(0)
  folder = await mkdtemp(join(tmpdir(), 'rowferry-backup-'))
  file = join(folder, 'rowferry.backup')
})
afterEach(() => rm(folder, { recursive: true }))

const backup = () => writeBackup({ url: from.url, file, program: '0.1.0', key_id: 'of-then' })
const restore = (options: { key_ids?: string[] } = {}) =>
  restoreBackup({ url: to.url, file, key_ids: ['of-then'], ...options })
const restored = async <T>(look: (db: Db) => Promise<T>): Promise<T> => {
  const db = createDb({ url: to.url })
  return look(db).finally(async () => {
    await db.destroy()
    await expect.poll(connections).toBe(0)
  })
}

/** Of whoever uses the database that is restored into: the server ends them a little later than their programs do. */
async function connections(): Promise<number> {
  const { rows } = await sql`select from pg_stat_activity
    where datname = ${new URL(to.url).pathname.slice(1)} and backend_type = 'client backend'`.execute(from.db)
  return rows.length
}

/** All rows of all tables, by table. */
async function contents(db: Db): Promise<Record<string, string[]>> {
  const { rows: tables } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'schema_migrations' order by 1`.execute(
    db,
  )
  const found: Record<string, string[]> = {}
  for (const { name } of tables) {
    const { rows } = await sql<{
      row: string
    }>`select t::text as row from ${sql.table(name)} t order by 1`.execute(db)
    found[name] = rows.map(({ row }) => row)
  }
  return found
}

async function aLivedDatabase(): Promise<void> {
  const { db } = from
  await aConnectedUser(db)
  await aSourceTask(db)
  const task = await aSyncTask(db, { name: NASTY_TEXTS.join('').replaceAll('\0', '').slice(0, 90) })
  await aRun(db, task.id, { state: 'failed', error: 'Tab\there, line\nthere, \\N and "quotes"' })
  await aCopy(
    db,
    task.id,
    ['SKU', 'Text'],
    NASTY_TEXTS.map((text, row) => [`${row}`, text.replaceAll('\0', '')]),
  )
}

describe('a backup', () => {
  test('is restored row by row, with all rules in force, and the next row gets the next number', async () => {
    await aLivedDatabase()
    const before = await contents(from.db)
    const { rows } = await backup()
    expect(rows).toMatchObject({ tasks: 2, runs: before.runs?.length })
    await restore()
    await restored(async (db) => {
      expect(await contents(db)).toEqual(before)
      const newest = Math.max(...(await db.selectFrom('tasks').select('id').execute()).map(({ id }) => id))
      expect((await aSyncTask(db)).id).toBe(newest + 1)
      const astray = sql`insert into runs (task_id, category, state) values (99999, 'sync', 'queued')`
      await expect(astray.execute(db)).rejects.toThrow()
      const rules = sql<{ rules: string[] }>`
        select array_agg(pg_get_constraintdef(oid) order by conrelid::regclass::text, conname) as rules from pg_constraint`
      expect((await rules.execute(db)).rows).toEqual((await rules.execute(from.db)).rows)
      const off = await sql`select from pg_trigger where not tgisinternal and tgenabled <> 'O'`.execute(db)
      expect(off.rows).toEqual([])
    })
  })

  test('shows one moment: what is added while it is written is not in it', async () => {
    await aSyncTask(from.db)
    const added: Promise<unknown>[] = []
    await writeBackup({
      url: from.url,
      file,
      program: '0.1.0',
      key_id: 'of-then',
      onTable: () => added.push(aSyncTask(from.db)),
    })
    await Promise.all(added)
    await restore()
    await restored(async (db) => {
      expect(await db.selectFrom('tasks').select('id').execute()).toHaveLength(1)
      expect(await db.selectFrom('sync_tasks').select('task_id').execute()).toHaveLength(1)
    })
  })

  test('can be read by its owner only, and overwrites nothing', async () => {
    await backup()
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const written = await readFile(file)
    await expect(backup()).rejects.toThrow(`${file} is there already.`)
    expect(await readFile(file)).toEqual(written)
  })

  test('of a database that is not Rowferry’s is refused, and leaves no file', async () => {
    await sql`drop schema public cascade`.execute(from.db)
    await sql`create schema public`.execute(from.db)
    await expect(backup()).rejects.toThrow('The database has nothing of Rowferry’s')
    expect(await readdir(folder)).toEqual([])
  })

  test('of a database that takes connections and says nothing ends in time, and leaves no file', async () => {
    const silent = createServer((socket) => void socket.on('error', () => {})).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    onTestFinished(() => void silent.close())
    const { port } = z.object({ port: z.int() }).parse(silent.address())
    const url = `postgresql://rowferry@127.0.0.1:${port}/rowferry`
    const failed = writeBackup({ url, file, program: '0.1.0', key_id: 'of-then', connect_ms: 50 })
    await expect(failed).rejects.toThrow(/timeout/)
    expect(await readdir(folder)).toEqual([])
  })

  test('of a database that falls silent within a table ends in time, and leaves no file', async () => {
    await aLivedDatabase()
    const proxy = await TcpProxy.before(Number(new URL(from.url).port))
    onTestFinished(() => proxy.close())
    const url = new URL(from.url)
    url.port = String(proxy.port)
    const failed = writeBackup({
      url: url.href,
      file,
      program: '0.1.0',
      key_id: 'of-then',
      silent_ms: 300,
      onTable: (table) => {
        if (table === 'tasks') proxy.silence()
      },
    })
    await expect(failed).rejects.toThrow('An answer of the database got lost on the way')
    expect(await readdir(folder)).toEqual([])
  })

  test('waits for a table that somebody has locked, however long that takes', async () => {
    await aLivedDatabase()
    const silent_ms = 300
    const other = new Client({ connectionString: from.url })
    await other.connect()
    await other.query('begin; lock table tasks')
    const made = writeBackup({ url: from.url, file, program: '0.1.0', key_id: 'of-then', silent_ms })
    await other.query('select pg_sleep($1)', [(silent_ms * 5) / 1000])
    await other.query('commit')
    await other.end()
    expect((await made).rows).toMatchObject({ tasks: 2 })
  })

  test('that cannot be finished leaves no file', async () => {
    const nowhere = new URL(from.url)
    nowhere.pathname = 'no_such_database'
    await expect(writeBackup({ url: nowhere.href, file, program: '', key_id: '' })).rejects.toThrow()
    await expect(stat(file)).rejects.toThrow('ENOENT')
    await expect(stat(`${file}.part`)).rejects.toThrow('ENOENT')
  })
})

describe('a restore', () => {
  const change = async (edit: (bytes: Buffer) => Buffer) =>
    writeFile(file, gzipSync(edit(gunzipSync(await readFile(file)))))
  const empty = () => restored((db) => db.selectFrom('tasks').select('id').execute())

  test.each<[string, (bytes: Buffer) => Buffer, RegExp]>([
    [
      'with another byte',
      (bytes) => Buffer.from(bytes.toString('latin1').replace('Copied', 'Cupied'), 'latin1'),
      /checksum/,
    ],
    ['without its end', (bytes) => bytes.subarray(0, -40), /no whole backup/],
    ['of which half is there', (bytes) => bytes.subarray(0, bytes.length >> 1), /no whole backup/],
    ['with bytes of something else', () => Buffer.from('{"a":1}\n'), /no whole backup/],
  ])('refuses a file %s, and writes nothing', async (_what, edit, message) => {
    await aSyncTask(from.db, { name: 'Copied' })
    await backup()
    await change(edit)
    await expect(restore()).rejects.toThrow(message)
    expect(await empty()).toEqual([])
  })

  test('refuses what no program has compressed', async () => {
    await writeFile(file, 'a,b\n1,2\n')
    await expect(restore()).rejects.toThrow(/no whole backup/)
  })

  test('names a file that is not there', async () => {
    await expect(restore()).rejects.toThrow(/rowferry\.backup is no whole backup of Rowferry: ENOENT/)
  })

  test('refuses a backup of a newer program by its number', async () => {
    await backup()
    const newest = Math.max(...(await readMigrations()).map(({ version }) => version))
    await sql`insert into schema_migrations (version, name, checksum) values (${newest + 1}, 'later', '')`.execute(
      from.db,
    )
    await rm(file)
    await backup()
    await expect(restore()).rejects.toThrow(`schema ${newest + 1}); this one knows ${newest}`)
  })

  test('names the key that is missing', async () => {
    await backup()
    await expect(restore({ key_ids: ['of-now'] })).rejects.toThrow(/another key \(of-then\) than SECRET_KEY/)
    await restore({ key_ids: ['of-now', 'of-then'] })
  })

  test('refuses a database that somebody uses, and one that has data', async () => {
    await backup()
    await restored(async (db) => {
      await aSyncTask(db)
      await expect(restore()).rejects.toThrow('The database is in use')
    })
    await expect(restore()).rejects.toThrow('The database has data already')
    expect(await empty()).toHaveLength(1)
  })

  test('takes nothing away before whoever prepares the database is done, and looks at what that left', async () => {
    await aLivedDatabase()
    await backup()
    const other = new Client({ connectionString: to.url })
    await other.connect()
    await other.query('begin')
    await holdMigrations(other)
    const refused = expect(restore()).rejects.toThrow('has data')
    // The server has databases of other tests, too, whose waits are none of ours.
    const waits = `select from pg_locks l join pg_database d on d.oid = l.database
      where not granted and locktype = 'advisory' and datname = current_database()`
    await expect.poll(async () => (await other.query(waits)).rowCount).toBe(1)
    await other.query("insert into tasks (category, name, sort_order) values ('source', 'Kept', 1)")
    await other.query('commit')
    // It has been seen, and leaves only then: whoever is about to go is waited for.
    const looked = `select from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and query like '%client backend%'`
    await expect.poll(async () => (await other.query(looked)).rowCount).toBe(1)
    await other.end()
    await refused
    expect(await restored((db) => db.selectFrom('tasks').select('name').execute())).toEqual([
      { name: 'Kept' },
    ])
  })

  test('brings a backup of an earlier version up to this one, rows and all', async () => {
    const earlier = await databaseBefore(33)
    await sql`insert into task_types (category, name, chunk_size) values ('source', 'Of then', 700)`.execute(
      earlier.db,
    )
    await writeBackup({ url: earlier.url, file, program: '0.1.0', key_id: 'of-then' })
    await restore()
    await restored(async (db) => {
      await requireMigrated(db)
      expect(await db.selectFrom('task_types').select('name').execute()).toContainEqual({ name: 'Of then' })
    })
  })
})
