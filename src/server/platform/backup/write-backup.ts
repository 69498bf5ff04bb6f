import { existsSync } from 'node:fs'
import { type FileHandle, link, open, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createGzip } from 'node:zlib'
import { type ClientBase, DatabaseError } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { Keys } from '../auth/keys.ts'
import { BackupError, reasonOf } from './backup-error.ts'
import { type End, type Header, type Sequence, signer, type Table } from './backup-file.ts'
import { END_OF_FRAMES, framesOf, line } from './frames.ts'
import { type ConnectionTimeouts, onConnection } from './on-connection.ts'

type Options = ConnectionTimeouts & {
  /** The database; may be in use. */
  url: string
  /** The target; must not exist yet. */
  file: string
  program: string
  /** The first key signs the file. */
  keys: Keys
  /** Called before each table. */
  onTable?: (table: string) => void
}

/**
 * Not in a backup: a restore writes the list of migrations itself, and a session would give access to a reader of the
 * file.
 */
export const LEFT_OUT = ['schema_migrations', 'sessions']

/**
 * Writes a consistent copy of Rowferry's database into a compressed and signed file that only its owner can read.
 * Queued jobs are left out, because the engine recreates them; sessions as well. Throws BackupError if the file
 * exists or cannot be written, if the database is not Rowferry's, or on a database error.
 */
export async function writeBackup({
  url,
  file,
  connect_ms,
  silence_limit_ms,
  ...options
}: Options): Promise<End> {
  const part = `${file}.part`
  if (existsSync(file)) throw new BackupError(`${file} is there already.`)
  const output = await openPart(part)
  try {
    const end = await onConnection(
      url,
      { name: 'backup of rowferry', connect_ms, silence_limit_ms },
      async (client) => {
        // One snapshot for all tables.
        await client.query('begin isolation level repeatable read read only')
        return write(client, output, options)
      },
    )
    // Unlike rename, link never replaces a file that was created meanwhile.
    await link(part, file)
    return end
  } catch (error) {
    if (error instanceof BackupError) throw error
    if (error instanceof DatabaseError)
      throw new BackupError(`The database refuses the backup: ${error.message}.`, { cause: error })
    if (!(error instanceof Error && 'syscall' in error && FILE_CALLS.includes(String(error.syscall))))
      throw error
    throw new BackupError(`${file} cannot be written: ${reasonOf(error)}.`, { cause: error })
  } finally {
    await output.close().catch(() => {})
    await rm(part, { force: true })
  }
}

const FILE_CALLS = ['write', 'writev', 'fsync', 'link', 'close']

async function openPart(part: string): Promise<FileHandle> {
  try {
    return await open(part, 'wx', 0o600)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST')
      throw new BackupError(
        `${part} is there already: another backup is writing it, or one was interrupted. Delete it if none is.`,
      )
    throw new BackupError(`${part} cannot be written: ${reasonOf(error)}.`)
  }
}

async function write(
  client: ClientBase,
  output: FileHandle,
  { program, keys, onTable = () => {} }: Pick<Options, 'program' | 'keys' | 'onTable'>,
): Promise<End> {
  const header = line(await headerOf(client, { program, key_id: keys.grantsKeyId }))
  const rows: End['rows'] = {}
  await pipeline(
    Readable.from(parts(), { objectMode: false }),
    createGzip({ level: constants.Z_BEST_SPEED }),
    signed,
    output.createWriteStream({ flush: true }),
  )
  return { rows }

  async function* signed(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
    const mac = signer(keys.backups)
    mac.update(header)
    yield header
    for await (const bytes of packed) {
      mac.update(bytes)
      yield bytes
    }
    yield mac.digest()
  }

  async function* parts(): AsyncGenerator<Buffer, void> {
    for (const table of await tablesOf(client)) {
      onTable(table.table)
      yield line(table)
      const copy = client.query(copyTo(`copy ${statementOf(table)} to stdout`))
      for await (const bytes of copy) yield* framesOf(bytes)
      yield END_OF_FRAMES
      rows[table.table] = copy.rowCount ?? 0
    }
    yield line({ sequences: await sequencesOf(client) })
    yield line({ rows })
  }
}

async function headerOf(
  client: ClientBase,
  { program, key_id }: { program: string; key_id: string },
): Promise<Header> {
  const known = await client.query("select to_regclass('schema_migrations') as migrations")
  if (known.rows[0].migrations === null)
    throw new BackupError('The database has nothing of Rowferry’s: is DATABASE_URL that of its processes?')
  const { rows } = await client.query(
    'select max(version) as version, now() as moment from schema_migrations',
  )
  const [{ version, moment }] = rows
  return { rowferry_backup: 2, program, schema_version: version, made_at: moment.toISOString(), key_id }
}

/** A table with its columns, as COPY expects them. */
export const statementOf = ({ table, columns }: Table): string =>
  `${quoted(table)} (${columns.map(quoted).join(', ')})`

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** All tables except those that are left out, without generated columns. */
export async function tablesOf(client: ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `
    select c.relname::text as table, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> all ($1)
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    group by 1 order by 1`,
    [LEFT_OUT],
  )
  return rows
}

async function sequencesOf(client: ClientBase): Promise<Sequence[]> {
  const { rows } = await client.query<Sequence>(`
    select sequencename as name, last_value::text as value from pg_sequences
    where schemaname = 'public' and last_value is not null order by 1`)
  return rows
}
