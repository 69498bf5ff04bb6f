import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { Client, type ClientBase } from 'pg'
import type { Database } from './schema.ts'

/** `oldest_program`: number of the newest migration of the oldest compatible program; 0: any. */
type Applied = { version: number; name: string; checksum: string; oldest_program: number }
type Migration = Applied & { text: string; oldest_program: number }

const SQL_FOLDER = join(import.meta.dirname, '../../../sql')
const FILE_NAME = /^(\d{4})_([a-z0-9_]+)\.sql$/
// First line of a migration that removes something which older programs use.
const OLDEST_PROGRAM = /^-- oldest program: (\d{4})\n/

// An arbitrary advisory lock id, unique in this database.
const MIGRATION_LOCK = 7_269_337

/** The database and the files of sql/ contradict each other; the message says how and what to do. */
export class MigrationError extends Error {
  override name = 'MigrationError'
}

/** The migrations of a folder in order. Throws MigrationError for a misnamed file or a duplicate number. */
export async function readMigrations(folder: string = SQL_FOLDER): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  const migrations = await Promise.all(names.map((name) => readMigration(folder, name)))
  for (const [index, migration] of migrations.entries()) {
    const previous = migrations[index - 1]
    if (previous?.version === migration.version) {
      throw new MigrationError(
        `sql/ has two files numbered ${migration.version}: give one the next free number.`,
      )
    }
  }
  return migrations
}

async function readMigration(folder: string, file: string): Promise<Migration> {
  const [, version, name] = FILE_NAME.exec(file) ?? []
  if (version === undefined || name === undefined) {
    throw new MigrationError(`sql/${file} is not named like 0001_what_it_does.sql.`)
  }
  const text = await readFile(join(folder, file), 'utf8')
  const checksum = createHash('sha256').update(text).digest('hex')
  const oldest_program = Number(OLDEST_PROGRAM.exec(text)?.[1] ?? 0)
  return { version: Number(version), name, text, checksum, oldest_program }
}

/**
 * The pending migrations in order. Applied versions beyond the newest file belong to a newer program and are accepted
 * unless they require a newer one than this. Throws MigrationError in that case, and if an applied file was changed,
 * removed or overtaken.
 */
function pendingMigrations(files: Migration[], applied: Applied[]): Migration[] {
  const newestFile = files.at(-1)?.version ?? 0
  const newestApplied = Math.max(0, ...applied.map(({ version }) => version))
  const known = new Map(files.map((file) => [file.version, file]))
  const wanted = Math.max(0, ...applied.map(({ oldest_program }) => oldest_program))
  if (wanted > newestFile)
    throw new MigrationError(
      `A newer version has brought this database to schema ${newestApplied}, with which only programs from ${wanted} on can work; this one knows ${newestFile}. Install the newer version, or restore a backup from before.`,
    )
  for (const { version, name, checksum } of applied) {
    if (version > newestFile) continue
    const file = known.get(version)
    if (!file) {
      throw new MigrationError(
        `Migration ${version} (${name}) was applied to this database but its file is gone.`,
      )
    }
    if (file.checksum !== checksum) {
      throw new MigrationError(
        `Migration ${version} (${name}) was changed after it had been applied: undo the edit and add a new file.`,
      )
    }
  }
  const done = new Set(applied.map(({ version }) => version))
  const pending = files.filter(({ version }) => !done.has(version))
  const overtaken = pending.find(({ version }) => version < newestApplied)
  if (overtaken) {
    throw new MigrationError(
      `Migration ${overtaken.version} (${overtaken.name}) was never applied though ${newestApplied} was: renumber it.`,
    )
  }
  return pending
}

/** Numbers of the pending migrations; empty if the database is ready. Throws MigrationError like `migrate`. */
export async function missingMigrations(db: Kysely<Database>, folder?: string): Promise<number[]> {
  const files = await readMigrations(folder)
  return pendingMigrations(files, await appliedMigrations(db)).map(({ version }) => version)
}

/** Throws MigrationError unless the database is ready for this program. */
export async function requireMigrated(db: Kysely<Database>): Promise<void> {
  const missing = await missingMigrations(db)
  if (missing.length) throw new MigrationError(`Migrations are missing: ${missing.join(', ')}`)
}

async function appliedMigrations(db: Kysely<Database>): Promise<Applied[]> {
  const found = await sql<{ name: string | null }>`select to_regclass('schema_migrations') as name`.execute(
    db,
  )
  if (found.rows[0]?.name == null) return []
  // The column may not exist yet; a row as JSON works either way.
  const { rows } = await sql<Applied>`
    select version, name, checksum, coalesce((to_jsonb(m) ->> 'oldest_program')::int, 0) as oldest_program
    from schema_migrations m`.execute(db)
  return rows
}

/**
 * Applies all pending migrations of `folder` up to `to`, each in its own transaction, and returns those that this
 * call applied. Safe to call concurrently. Throws MigrationError, or PostgreSQL's error, after which the earlier
 * migrations remain applied.
 */
export async function migrate({
  url,
  folder,
  to = Number.POSITIVE_INFINITY,
}: {
  url: string
  folder?: string
  to?: number
}): Promise<Applied[]> {
  const files = (await readMigrations(folder)).filter(({ version }) => version <= to)
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    const appliedHere: Applied[] = []
    for (;;) {
      // After an error the transaction is rolled back when the connection ends.
      await client.query('begin')
      await lockMigrations(client)
      const next = await applyNext(client, files)
      await client.query('commit')
      if (!next) return appliedHere
      appliedHere.push(next)
    }
  } finally {
    await client.end()
  }
}

/** Locks migrations until the transaction ends, which also works through a connection pooler. */
export async function lockMigrations(client: ClientBase): Promise<void> {
  await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
}

/** Applies migrations within the caller's transaction, which must hold the lock (`lockMigrations`). */
export async function migrateWithin(client: ClientBase, { to }: { to: number }): Promise<void> {
  const files = (await readMigrations()).filter(({ version }) => version <= to)
  while (await applyNext(client, files));
}

async function applyNext(client: ClientBase, files: Migration[]): Promise<Migration | undefined> {
  await client.query(`create table if not exists schema_migrations (
    version int primary key,
    name text not null,
    checksum text not null,
    applied_at timestamptz not null default clock_timestamp()
  )`)
  await client.query(
    'alter table schema_migrations add column if not exists oldest_program int not null default 0',
  )
  const applied = await client.query<Applied>(
    'select version, name, checksum, oldest_program from schema_migrations',
  )
  const [next] = pendingMigrations(files, applied.rows)
  if (next) {
    await client.query(next.text)
    await client.query(
      'insert into schema_migrations (version, name, checksum, oldest_program) values ($1, $2, $3, $4)',
      [next.version, next.name, next.checksum, next.oldest_program],
    )
  }
  return next
}
