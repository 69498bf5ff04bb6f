import { createHash } from 'node:crypto'
import { createWriteStream, existsSync } from 'node:fs'
import { link, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createGzip } from 'node:zlib'
import type { ClientBase } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { BackupError, type End, type Header, type Sequence, type Table } from './backup-file.ts'
import { END_OF_FRAMES, frame, line } from './frames.ts'
import { onConnection, type Patience } from './on-connection.ts'

type Options = Patience & {
  /** The database, which may be in use. */
  url: string
  /** Where to; it must not exist yet. */
  file: string
  program: string
  key_id: string
  /** Called before each table. */
  onTable?: (table: string) => void
}

/**
 * Writes all that Rowferry keeps in its database, as it is at one moment, into one compressed file that only its owner
 * may read. What the queue holds is left out: runs at work find their way back into it. Throws BackupError when the file is there
 * already, and when the database is not Rowferry's.
 */
export async function writeBackup({ url, file, connect_ms, silent_ms, ...options }: Options): Promise<End> {
  const part = `${file}.part`
  if (existsSync(file)) throw new BackupError(`${file} is there already.`)
  let end: End | undefined
  try {
    await onConnection(url, { name: 'backup of rowferry', connect_ms, silent_ms }, async (client) => {
      // One moment for all tables, however long it takes.
      await client.query('begin isolation level repeatable read read only')
      const bytes = parts(client, options, (written) => {
        end = written
      })
      await pipeline(
        Readable.from(bytes, { objectMode: false }),
        createGzip({ level: constants.Z_BEST_SPEED }),
        createWriteStream(part, { mode: 0o600, flush: true }),
      )
    })
    // Unlike a renaming, this takes nobody's place: a file of that name may have come meanwhile.
    await link(part, file)
  } finally {
    await rm(part, { force: true })
  }
  if (!end) throw new BackupError('The backup has no end.')
  return end
}

async function* parts(
  client: ClientBase,
  { program, key_id, onTable = () => {} }: Pick<Options, 'program' | 'key_id' | 'onTable'>,
  onEnd: (end: End) => void,
): AsyncGenerator<Buffer, void> {
  const hash = createHash('sha256')
  const rows: End['rows'] = {}
  for await (const bytes of content()) {
    hash.update(bytes)
    yield bytes
  }
  const end = { rows, sha256: hash.digest('hex') }
  yield line(end)
  onEnd(end)

  async function* content(): AsyncGenerator<Buffer, void> {
    yield line(await headerOf(client, { program, key_id }))
    for (const table of await tablesOf(client)) {
      onTable(table.table)
      yield line(table)
      const copy = client.query(copyTo(`copy ${statementOf(table)} to stdout`))
      for await (const bytes of copy) yield frame(bytes)
      yield END_OF_FRAMES
      rows[table.table] = copy.rowCount ?? 0
    }
    yield line({ sequences: await sequencesOf(client) })
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
  return { rowferry_backup: 1, program, schema_version: version, made_at: moment.toISOString(), key_id }
}

/** A table with its columns, as COPY wants to have them named. */
export const statementOf = ({ table, columns }: Table): string =>
  `${quoted(table)} (${columns.map(quoted).join(', ')})`

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** All tables but the list of migrations, which a restore writes itself; computed columns are left to the database. */
async function tablesOf(client: ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table>(`
    select c.relname as table, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> 'schema_migrations'
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    group by 1 order by 1`)
  return rows
}

async function sequencesOf(client: ClientBase): Promise<Sequence[]> {
  const { rows } = await client.query<Sequence>(`
    select sequencename as name, last_value::text as value from pg_sequences
    where schemaname = 'public' and last_value is not null order by 1`)
  return rows
}
