import { isUtf8 } from 'node:buffer'
import { type Client, DatabaseError } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { originMessages } from '../../../contract/connections/server-messages.ts'

import { OriginFailure } from '../connector.ts'
import { withoutEnd } from '../without-end.ts'
import { rowOf, textCell } from './cells.ts'
import { type ColumnKind, CopyRows } from './copy-rows.ts'
import { refuseOwnDatabase } from './own-database.ts'
import { failureOf } from './postgresql-errors.ts'
import { cancel, connectTo, describe } from './postgresql-session.ts'
import { postgresqlRights, refuseRights } from './privileged-user.ts'
import { type DatabaseRead, type Engine, serverOf } from './server.ts'

const SECONDS = 1000
const COPY = 'copy ('

/** Types that are not read as text, by oid. */
const KINDS: ReadonlyMap<number, ColumnKind> = new Map([
  [16, 'boolean'],
  [17, 'bytes'],
  [20, 'exact'],
  [21, 'integer'],
  [23, 'integer'],
  [26, 'integer'],
  [700, 'float'],
  [701, 'float'],
  [1700, 'exact'],
])

/** PostgreSQL: streams one statement with COPY in a read-only transaction, with fixed output settings. */
export const postgresql: Engine = { read, failure: failureOf }

async function* read(request: DatabaseRead): AsyncGenerator<Uint8Array[]> {
  const { settings, context, signal } = request
  const server = serverOf(settings, context)
  await context.beforeRequest()
  const { client, socket } = await connectTo(server, settings, signal)
  let busy: number | null = null
  let stopping: Promise<void> | undefined
  const stop = () => {
    stopping ??= (busy === null ? Promise.resolve() : cancel(server, settings, busy)).finally(() =>
      socket.destroy(),
    )
    return stopping
  }
  const onAbort = () => void stop()
  signal.addEventListener('abort', onAbort)
  try {
    await refuseOwnDatabase(client, context.own_database)
    if (!settings.privileged_user) refuseRights(settings, await postgresqlRights(client))
    const { pid, encoding } = await begin(client, settings.timeout_seconds)
    signal.throwIfAborted()
    busy = pid
    // A database with the encoding SQL_ASCII does not validate text: any bytes may come out.
    for await (const rows of readStatement(client, request))
      yield encoding === 'SQL_ASCII' ? rows.map((row) => (isUtf8(row) ? row : mended(row, request))) : rows
    busy = null
  } catch (error) {
    if (error instanceof DatabaseError) busy = null
    throw error
  } finally {
    signal.removeEventListener('abort', onAbort)
    await stop()
  }
}

async function begin(client: Client, timeout_seconds: number): Promise<{ pid: number; encoding: string }> {
  await client.query(`
    begin transaction read only;
    set local statement_timeout = ${timeout_seconds * SECONDS};
    set local datestyle = 'ISO, YMD';
    set local intervalstyle = 'iso_8601';
    set local timezone = 'UTC';
    set local bytea_output = 'hex';
    set local extra_float_digits = 1`)
  const { rows } = await client.query<{ pid: number; encoding: string }>(
    `select pg_backend_pid() as pid, current_setting('server_encoding') as encoding`,
  )
  const [session] = rows
  if (!session) throw new TypeError('PostgreSQL answered nothing')
  return session
}

async function* readStatement(
  client: Client,
  { settings, notes }: DatabaseRead,
): AsyncGenerator<Uint8Array[]> {
  const statement = withoutEnd(settings.statement, '; \t\r\n')
  const columns = (await describe(client, statement)) ?? []
  if (columns.length === 0) throw new OriginFailure('invalid', originMessages.statement_answers_nothing)
  yield [Buffer.from(rowOf(columns.map(({ name }, column) => textCell(name, column, notes))))]

  const kinds = columns.map(({ dataTypeID }) => KINDS.get(dataTypeID) ?? 'text')
  const copied = new CopyRows(kinds, notes)
  try {
    for await (const piece of client.query(copyTo(`${COPY}${statement}\n) to stdout`))) {
      const rows = copied.feed(piece)
      if (rows.length > 0) yield rows
    }
  } catch (error) {
    if (error instanceof DatabaseError && error.position)
      error.position = String(Number(error.position) - COPY.length)
    throw error
  }
}

function mended(row: Uint8Array, { notes }: DatabaseRead): Uint8Array {
  notes.add('not_utf8', 0)
  return Buffer.from(Buffer.from(row).toString('utf8'))
}
