import { createHash, createHmac } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect } from 'vitest'
import { z } from 'zod'
import { deriveKeys } from '../src/server/platform/auth/keys.ts'
import { END_OF_FRAMES, framesOf, line } from '../src/server/platform/backup/frames.ts'
import { restoreBackup } from '../src/server/platform/backup/restore-backup.ts'
import { writeBackup } from '../src/server/platform/backup/write-backup.ts'
import { createDb, type Db } from '../src/server/platform/db.ts'
import { type TestDatabase, testDatabase } from './database.ts'

export const BACKUP_KEYS = deriveKeys('a key of installations that make backups')

const SIGNATURE_BYTES = 32
const Line = z.looseObject({})

/** For each test a database to back up, another one to restore into, and a file between them. */
export function backupWorld() {
  let state: { from: TestDatabase; to: TestDatabase; folder: string } | undefined
  const current = () => {
    if (!state) throw new Error('There are no databases before the first test')
    return state
  }

  beforeEach(async () => {
    state = {
      from: await testDatabase(),
      to: await testDatabase(),
      folder: await mkdtemp(join(tmpdir(), 'rowferry-backup-')),
    }
    // Restoring wants nobody else in it.
    await state.to.db.destroy()
    await expect.poll(connections).toBe(0)
  })
  afterEach(() => rm(current().folder, { recursive: true }))

  /** Of those who use the database that is restored into: the server ends them a little later than their programs do. */
  async function connections(): Promise<number> {
    const { rows } = await sql`select from pg_stat_activity
      where datname = ${new URL(current().to.url).pathname.slice(1)} and backend_type = 'client backend'`.execute(
      current().from.db,
    )
    return rows.length
  }

  /** Looks into the database that is restored into. */
  async function restored<T>(look: (db: Db) => Promise<T>): Promise<T> {
    const db = createDb({ url: current().to.url })
    return look(db).finally(async () => {
      await db.destroy()
      await expect.poll(connections).toBe(0)
    })
  }

  const file = () => join(current().folder, 'rowferry.backup')
  return {
    get from() {
      return current().from
    },
    get to() {
      return current().to
    },
    get folder() {
      return current().folder
    },
    get file() {
      return file()
    },
    restored,
    backup: (options: Partial<Parameters<typeof writeBackup>[0]> = {}) =>
      writeBackup({ url: current().from.url, file: file(), program: '0.1.0', keys: BACKUP_KEYS, ...options }),
    restore: (options: Partial<Parameters<typeof restoreBackup>[0]> = {}) =>
      restoreBackup({ url: current().to.url, file: file(), keys: BACKUP_KEYS, ...options }),
    /** What the backup holds, and its header. */
    content: async () => contentOf(await readFile(file())),
    /** Writes it anew with other content, signed under a key. */
    sign: async (edit: (content: Buffer) => Buffer, key = BACKUP_KEYS.backups) => {
      const { header, content } = contentOf(await readFile(file()))
      await writeFile(file(), signed(header, edit(content), key))
    },
    /** The same as version 0.1.0 wrote it, with a checksum that fits. */
    asOfFirstVersion: async (edit: (content: Buffer) => Buffer = (content) => content) => {
      const { header, content } = contentOf(await readFile(file()))
      await writeFile(file(), ofFirstVersion(header, edit(content)))
    },
  }
}

function contentOf(bytes: Buffer): { header: object; content: Buffer } {
  const start = bytes.indexOf('\n') + 1
  const packed = bytes.subarray(start, -SIGNATURE_BYTES)
  return { header: Line.parse(JSON.parse(bytes.toString('utf8', 0, start))), content: gunzipSync(packed) }
}

function signed(header: object, content: Buffer, key: Buffer): Buffer {
  const bytes = Buffer.concat([line(header), gzipSync(content)])
  return Buffer.concat([bytes, createHmac('sha256', key).update(bytes).digest()])
}

function ofFirstVersion(header: object, content: Buffer): Buffer {
  const start = content.lastIndexOf('\n', -2) + 1
  const bytes = Buffer.concat([line({ ...header, rowferry_backup: 1 }), content.subarray(0, start)])
  const end = Line.parse(JSON.parse(content.toString('utf8', start)))
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return gzipSync(Buffer.concat([bytes, line({ ...end, sha256 })]))
}

/** Puts another table, with rows as COPY writes them, behind those that the backup has. */
export const withTable =
  (table: string, columns: string[], rows: string[]) =>
  (content: Buffer): Buffer => {
    const at = content.lastIndexOf('{"sequences":')
    const added = [line({ table, columns }), ...framesOf(Buffer.from(`${rows.join('\n')}\n`)), END_OF_FRAMES]
    const counted = content
      .toString('latin1', at)
      .replace('"rows":{', `"rows":{${JSON.stringify(table)}:${rows.length},`)
    return Buffer.concat([content.subarray(0, at), ...added, Buffer.from(counted, 'latin1')])
  }

/** All rows of all tables that a restore brings back, by table. */
export async function restorableRows(db: Db): Promise<Record<string, string[]>> {
  const { rows: tables } = await sql<{ name: string }>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
      and relname not in ('schema_migrations', 'sessions', 'api_tokens') order by 1`.execute(db)
  const found: Record<string, string[]> = {}
  for (const { name } of tables) {
    const { rows } = await sql<{
      row: string
    }>`select t::text as row from ${sql.table(name)} t order by 1`.execute(db)
    found[name] = rows.map(({ row }) => row)
  }
  return found
}

/** A session and a token of that person, by which requests were made. */
export async function aSessionAndAToken(db: Db, user_id: number): Promise<void> {
  await sql`insert into sessions (id_hash, user_id, expires_at) values ('\\x01', ${user_id}, now() + interval '1 day')`.execute(
    db,
  )
  await db
    .insertInto('api_tokens')
    .values({
      user_id,
      name: 'Nightly',
      access_right: 'edit',
      token_hash: Buffer.from([2]),
      hint: 'abcd',
      expires_at: new Date(Date.now() + 86_400_000),
    })
    .execute()
}
