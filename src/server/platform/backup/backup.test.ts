import { once } from 'node:events'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { sql } from 'kysely'
import { Client } from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { TcpProxy } from '../../../../test/fakes/tcp-proxy.ts'
import { aSessionAndAToken, backupWorld, restorableRows } from '../../../../test/fixtures/backups.ts'
import { aConnectedUser, aCopy, aRun, aSourceTask, aSyncTask } from '../../../../test/fixtures/factories.ts'
import { NASTY_TEXTS } from '../../../../test/fixtures/nasty-texts.ts'

const world = backupWorld()
const { backup, restore, restored } = world

async function aLivedDatabase(): Promise<void> {
  const { db } = world.from
  const { user_id } = await aConnectedUser(db)
  await aSessionAndAToken(db, user_id)
  const { id: task_id } = await aSourceTask(db)
  const { id: file_id } = await db
    .insertInto('uploaded_files')
    .values({ task_id, name: 'prices.xlsx', size: 3, user_id })
    .returning('id')
    .executeTakeFirstOrThrow()
  const content = Buffer.from([0, 10, 255])
  await db.insertInto('uploaded_file_parts').values({ file_id, part_no: 0, content }).execute()
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
  test('is restored row by row with all constraints, and the next row gets the next id', async () => {
    await aLivedDatabase()
    const before = await restorableRows(world.from.db)
    const { rows } = await backup()
    expect(rows).toMatchObject({ tasks: 2, runs: before.runs?.length })
    await restore()
    await restored(async (db) => {
      expect(await restorableRows(db)).toEqual(before)
      const newest = Math.max(...(await db.selectFrom('tasks').select('id').execute()).map(({ id }) => id))
      expect((await aSyncTask(db)).id).toBe(newest + 1)
      const astray = sql`insert into runs (task_id, category, state) values (99999, 'sync', 'queued')`
      await expect(astray.execute(db)).rejects.toThrow()
      const rules = sql<{ rules: string[] }>`
        select array_agg(pg_get_constraintdef(oid) order by conrelid::regclass::text, conname) as rules from pg_constraint`
      expect((await rules.execute(db)).rows).toEqual((await rules.execute(world.from.db)).rows)
      const off = await sql`select from pg_trigger where not tgisinternal and tgenabled <> 'O'`.execute(db)
      expect(off.rows).toEqual([])
    })
  })

  test('is consistent: rows added during the backup are not in it', async () => {
    await aSyncTask(world.from.db)
    const added: Promise<unknown>[] = []
    await backup({
      onTable: () => added.push(aSyncTask(world.from.db)),
    })
    await Promise.all(added)
    await restore()
    await restored(async (db) => {
      expect(await db.selectFrom('tasks').select('id').execute()).toHaveLength(1)
      expect(await db.selectFrom('sync_tasks').select('task_id').execute()).toHaveLength(1)
    })
  })

  test('contains no session, not even its hash', async () => {
    await aLivedDatabase()
    await backup()
    const { content } = await world.content()
    expect(content.includes('"table":"users"')).toBe(true)
    expect(content.includes('"table":"sessions"')).toBe(false)
  })

  test('can be read by its owner only, and overwrites nothing', async () => {
    await backup()
    expect((await stat(world.file)).mode & 0o777).toBe(0o600)
    const written = await readFile(world.file)
    await expect(backup()).rejects.toThrow(`${world.file} is there already.`)
    expect(await readFile(world.file)).toEqual(written)
  })

  test('of a database that is not Rowferry’s is refused, and leaves no file', async () => {
    await sql`drop schema public cascade`.execute(world.from.db)
    await sql`create schema public`.execute(world.from.db)
    await expect(backup()).rejects.toThrow('The database has nothing of Rowferry’s')
    expect(await readdir(world.folder)).toEqual([])
  })

  test('of a database that accepts connections and does not respond times out, and leaves no file', async () => {
    const silent = createServer((socket) => void socket.on('error', () => {})).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    onTestFinished(() => void silent.close())
    const { port } = z.object({ port: z.int() }).parse(silent.address())
    const url = `postgresql://rowferry@127.0.0.1:${port}/rowferry`
    const failed = backup({ url, connect_ms: 50 })
    await expect(failed).rejects.toThrow(/timeout/)
    expect(await readdir(world.folder)).toEqual([])
  })

  test('of a database that stops responding within a table times out, and leaves no file', async () => {
    await aLivedDatabase()
    const proxy = await TcpProxy.before(Number(new URL(world.from.url).port))
    onTestFinished(() => proxy.close())
    const url = new URL(world.from.url)
    url.port = String(proxy.port)
    const failed = backup({
      url: url.href,
      silence_limit_ms: 300,
      onTable: (table) => {
        if (table === 'tasks') proxy.silence()
      },
    })
    await expect(failed).rejects.toThrow('An answer of the database got lost on the way')
    expect(await readdir(world.folder)).toEqual([])
  })

  test('waits for a locked table, however long that takes', async () => {
    await aLivedDatabase()
    const silence_limit_ms = 300
    const other = new Client({ connectionString: world.from.url })
    await other.connect()
    await other.query('begin; lock table tasks')
    const made = backup({ silence_limit_ms })
    await other.query('select pg_sleep($1)', [(silence_limit_ms * 5) / 1000])
    await other.query('commit')
    await other.end()
    expect((await made).rows).toMatchObject({ tasks: 2 })
  })

  test.each([
    [
      'into a folder that is not there',
      'nowhere/a.backup',
      'nowhere/a.backup.part cannot be written: no such file',
    ],
    ['below a file', 'a-file/a.backup', 'a-file/a.backup.part cannot be written: not a directory'],
  ])('%s reports why it cannot be written', async (_where, name, message) => {
    await writeFile(join(world.folder, 'a-file'), '')
    await expect(backup({ file: join(world.folder, name) })).rejects.toThrow(message)
  })

  test('does not touch the file of a concurrent backup', async () => {
    await writeFile(`${world.file}.part`, 'half of it')
    await expect(backup()).rejects.toThrow('.part is there already: another backup is writing it')
    expect(await readFile(`${world.file}.part`, 'utf8')).toBe('half of it')
  })

  test('that fails leaves no file', async () => {
    const nowhere = new URL(world.from.url)
    nowhere.pathname = 'no_such_database'
    await expect(backup({ url: nowhere.href })).rejects.toThrow()
    await expect(stat(world.file)).rejects.toThrow('ENOENT')
    await expect(stat(`${world.file}.part`)).rejects.toThrow('ENOENT')
  })
})
