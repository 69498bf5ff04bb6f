import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { ClientBase } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { holdMigrations, migrate, readMigrations } from '../migrate.ts'
import { BackupError, checkBackup, type End, type Header, readBackup } from './backup-file.ts'
import { onConnection } from './on-connection.ts'
import { quoted, statementOf } from './write-backup.ts'

// The database waits for a file that may come slowly.
const CONNECTION = { name: 'restore of rowferry', silent_ms: 120_000 }

const [LEAVING_LOOKS, LEAVING_MS] = [20, 100]

type Options = {
  /** A database that nobody uses and that holds nothing of Rowferry's yet. */
  url: string
  file: string
  /** Of the keys that are set. */
  key_ids: string[]
  /** Called before each table. */
  onTable?: (table: string) => void
}

/**
 * Puts a backup into an empty database and brings it up to this program's version. The file is read through before
 * anything is written. Throws BackupError when it is damaged, of a newer program or under another key, and when the database is in use or has data.
 */
export async function restoreBackup({ url, file, key_ids, onTable = () => {} }: Options): Promise<End> {
  const header = await checkBackup(file)
  await refuseNewer(header)
  if (!key_ids.includes(header.key_id))
    throw new BackupError(
      `What is sealed in ${file} opens with another key (${header.key_id}) than SECRET_KEY: set SECRET_KEY, or SECRET_KEY_OLD, to the one of then.`,
    )
  await clear(url)
  await migrate({ url, to: header.schema_version })
  const end = await load(url, file, onTable)
  await migrate({ url })
  return end
}

async function refuseNewer({ schema_version, program }: Header): Promise<void> {
  const newest = Math.max(...(await readMigrations()).map(({ version }) => version))
  if (schema_version > newest)
    throw new BackupError(
      `The backup was made by a newer version (${program}, schema ${schema_version}); this one knows ${newest}.`,
    )
}

/** Whether nobody else uses the database. The server parts with those who have just left a little later than they do. */
async function isAlone(client: ClientBase): Promise<boolean> {
  for (let look = 0; look < LEAVING_LOOKS; look += 1) {
    // Within a transaction the server would tell the same again.
    await client.query('select pg_stat_clear_snapshot()')
    const others = await client.query(`
      select from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`)
    if (others.rowCount === 0) return true
    await pause(LEAVING_MS)
  }
  return false
}

/** Takes away the empty tables of whatever version prepared the database. */
async function clear(url: string): Promise<void> {
  await onConnection(url, CONNECTION, async (client) => {
    await client.query('begin')
    // Whoever starts meanwhile waits, and is seen below; what a migration has begun is over.
    await holdMigrations(client)
    if (!(await isAlone(client)))
      throw new BackupError('The database is in use: stop every process of Rowferry that knows it.')
    const known = await client.query(
      "select to_regclass('public.users') as users, to_regclass('public.tasks') as tasks",
    )
    if (known.rows[0].users !== null || known.rows[0].tasks !== null) {
      const { rows } = await client.query(
        'select exists (select from users) or exists (select from tasks) as filled',
      )
      if (rows[0].filled)
        throw new BackupError(
          'The database has data already: restore into a new one, or into a new DATA_DIR.',
        )
    }
    await client.query('drop schema public cascade')
    await client.query('create schema public')
    await client.query('drop schema if exists pgboss cascade')
    await client.query('commit')
  })
}

function load(url: string, file: string, onTable: (table: string) => void): Promise<End> {
  return onConnection(url, CONNECTION, async (client) => {
    await client.query('begin')
    // Processes that are started meanwhile wait for its end.
    await holdMigrations(client)
    const back = await suspendRules(client)
    const end = await readBackup(file, {
      header: async () => {},
      table: async (table, rows) => {
        onTable(table.table)
        await pipeline(rows, client.query(copyFrom(`copy ${statementOf(table)} from stdin`)))
      },
      sequences: async (sequences) => {
        for (const { name, value } of sequences)
          await client.query('select setval($1, $2)', [quoted(name), value])
      },
    })
    for (const statement of back) await client.query(statement)
    await compareCounts(client, end)
    await client.query('commit')
    await client.query('analyze')
    return end
  })
}

/** Empties all tables, and puts references and triggers out of force; answers the statements that put them back. */
async function suspendRules(client: ClientBase): Promise<string[]> {
  const tables = await client.query<{ name: string }>(`
    select oid::regclass::text as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'schema_migrations'`)
  const references = await client.query<{ name: string; holder: string; definition: string }>(`
    select conname as name, conrelid::regclass::text as holder, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`)
  for (const { name, holder } of references.rows)
    await client.query(`alter table ${holder} drop constraint ${quoted(name)}`)
  for (const { name } of tables.rows) await client.query(`alter table ${name} disable trigger user`)
  // What migrations have put in is in the backup, too.
  await client.query(`truncate ${tables.rows.map(({ name }) => name).join(', ')}`)
  return [
    ...references.rows.map(
      ({ name, holder, definition }) => `alter table ${holder} add constraint ${quoted(name)} ${definition}`,
    ),
    ...tables.rows.map(({ name }) => `alter table ${name} enable trigger user`),
  ]
}

async function compareCounts(client: ClientBase, { rows }: End): Promise<void> {
  for (const [table, count] of Object.entries(rows)) {
    const found = await client.query(`select count(*)::int as count from ${quoted(table)}`)
    if (found.rows[0].count !== count)
      throw new BackupError(`${table} has ${found.rows[0].count} rows instead of ${count}.`)
  }
}
