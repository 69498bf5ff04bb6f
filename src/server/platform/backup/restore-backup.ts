import { setTimeout as pause } from 'node:timers/promises'
import { type ClientBase, DatabaseError } from 'pg'
import type { Keys } from '../auth/keys.ts'
import { lockMigrations, migrate, migrateWithin, readMigrations } from '../migrate.ts'
import { BackupError } from './backup-error.ts'
import { BackupFile, type Header } from './backup-file.ts'
import { type Loaded, loadRows } from './load-rows.ts'
import { onConnection } from './on-connection.ts'
import { removeUnusedInstallation, requireNothingForeign } from './own-objects.ts'

// The database waits for the file, which may be on a slow medium.
const CONNECTION = { name: 'restore of rowferry', silence_limit_ms: 120_000 }

const [MAX_CHECKS, CHECK_PAUSE_MS] = [20, 100]

type Options = {
  /** A database without other clients that contains at most an unused installation of Rowferry. */
  url: string
  file: string
  /** SECRET_KEY and SECRET_KEY_OLD, one of which must have signed the file. */
  keys: Keys
  /** Also accept an unsigned backup of version 0.1.0. */
  allowUnsigned?: boolean
  /** Keep the API tokens of the file. */
  keepTokens?: boolean
  /** Called before each table. */
  onTable?: (table: string) => void
}

/** `sealed_by_others`: number of grants, connections and webhooks that are sealed under a key other than SECRET_KEY. */
export type Restored = Loaded & { sealed_by_others: number }

/**
 * Restores a backup in one transaction and migrates it to this program's version. The signature is verified before
 * the database is accessed, and again while reading. Throws BackupError and leaves the database unchanged if the file
 * is damaged, forged, from a newer program or under another key, or if the database is in use, has been used or
 * contains foreign objects.
 */
export async function restoreBackup(options: Options): Promise<Restored> {
  const { url, keys } = options
  const loaded = await BackupFile.open(options.file, async (file) => {
    await refuseNewer(file.header)
    const key = keyOf(file, keys)
    if (file.isSigned) await file.checkSignature(key)
    else if (!options.allowUnsigned)
      throw new BackupError(
        `${file.name} carries no signature: backups of version 0.1.0 have none, and a forged file has none either. If you know its origin and that it was not changed, run npm run restore -- --unsigned FILE.`,
      )
    return inTransaction(url, (client) => load(client, file, key, options))
  })
  await migrate({ url })
  return { ...loaded, sealed_by_others: await sealedByOthers(url, keys) }
}

async function load(
  client: ClientBase,
  file: BackupFile,
  key: Buffer,
  { keepTokens = false, onTable = () => {} }: Options,
): Promise<Loaded> {
  // Processes that start meanwhile wait for the migration lock, and a running migration has ended.
  await lockMigrations(client)
  if (!(await isAlone(client))) {
    // The other client may be another program.
    await requireNothingForeign(client)
    throw new BackupError('The database is in use: stop every process of Rowferry that knows it.')
  }
  await removeUnusedInstallation(client)
  await migrateWithin(client, { to: file.header.schema_version })
  return loadRows(client, file, { key, keepTokens, onTable })
}

/** Commits when `use` resolves, and rolls back when it throws. */
async function inTransaction<T>(url: string, use: (client: ClientBase) => Promise<T>): Promise<T> {
  return onConnection(url, CONNECTION, async (client) => {
    try {
      await client.query('begin')
      const result = await use(client)
      await client.query('commit')
      await client.query('analyze')
      return result
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error
      throw new BackupError(`The database refuses the restore, and is as it was: ${error.message}.`, {
        cause: error,
      })
    }
  })
}

async function refuseNewer({ schema_version, program }: Header): Promise<void> {
  const newest = Math.max(...(await readMigrations()).map(({ version }) => version))
  if (schema_version > newest)
    throw new BackupError(
      `The backup was made by a newer version (${program}, schema ${schema_version}); this one knows ${newest}.`,
    )
}

/** The key that signed the file, if it is one of ours. */
function keyOf({ name, header, isSigned }: BackupFile, keys: Keys): Buffer {
  const found = [keys, keys.old].find((key) => key?.grantsKeyId === header.key_id)
  if (found) return found.backups
  const what = isSigned ? `${name} is signed` : `What is sealed in ${name} was sealed`
  throw new BackupError(
    `${what} under another key (${header.key_id}) than SECRET_KEY (${keys.grantsKeyId}): set SECRET_KEY to the one of then. If it was changed since, set SECRET_KEY_OLD to the one of then, restore, and run npm run reseal.`,
  )
}

/** Whether no other client is connected. The server lists clients for a moment after they disconnect. */
async function isAlone(client: ClientBase): Promise<boolean> {
  for (let attempt = 0; attempt < MAX_CHECKS; attempt += 1) {
    // Within a transaction the statistics are cached.
    await client.query('select pg_stat_clear_snapshot()')
    const others = await client.query(`
      select from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`)
    if (others.rowCount === 0) return true
    await pause(CHECK_PAUSE_MS)
  }
  return false
}

async function sealedByOthers(url: string, { grantsKeyId }: Keys): Promise<number> {
  return onConnection(url, CONNECTION, async (client) => {
    const { rows } = await client.query(
      `select count(*)::int as count from (
        select key_id from grants union all select key_id from connections union all select key_id from webhooks
      ) sealed where key_id <> $1`,
      [grantsKeyId],
    )
    return rows[0].count
  })
}
