import type { Connection, FieldPacket } from 'mysql2'
import { z } from 'zod'
import { originMessages } from '../../../contract/connections/server-messages.ts'

import { OriginFailure } from '../connector.ts'
import { BLANK_CELL, rowOf, textCell } from './cells.ts'
import { cellWriter } from './mysql-cells.ts'
import { answeredBy, failureOf } from './mysql-errors.ts'
import { firstKeyword } from './mysql-keyword.ts'
import { ask, connectToMysql, countColumns, killQuery, type MysqlSession } from './mysql-session.ts'
import { mysqlRights, refuseRights } from './privileged-user.ts'
import { type DatabaseRead, type Engine, serverOf } from './server.ts'

const ROWS_AHEAD = 1000
const BATCH_BYTES = 65_536
const MILLISECONDS = 1000
const SPARE_SECONDS = 10
// Other statements run procedures, prepared statements or server commands, some of which a read-only transaction
// allows.
const READING = new Set(['SELECT', 'WITH', 'VALUES', 'TABLE'])

/** MySQL and MariaDB: streams one statement in a read-only transaction. */
export const mysql: Engine = { read, failure: failureOf }

async function* read(request: DatabaseRead): AsyncGenerator<Uint8Array[]> {
  const { settings, context, signal } = request
  const server = serverOf(settings, context)
  await context.beforeRequest()
  const session = await connectToMysql(server, settings, signal)
  const { connection, socket } = session
  let isBusy = true
  let stopping: Promise<void> | undefined
  const stop = () => {
    stopping ??= (isBusy ? killQuery(server, settings, connection.threadId) : Promise.resolve()).finally(() =>
      socket.destroy(),
    )
    return stopping
  }
  const onAbort = () => void stop()
  signal.addEventListener('abort', onAbort)
  try {
    signal.throwIfAborted()
    const version = await begin(connection, settings.timeout_seconds)
    if (!settings.privileged_user) refuseRights(settings, mysqlRights(await grantsOf(connection, version)))
    yield* readStatement(session, request)
    isBusy = false
  } catch (error) {
    if (answeredBy(error)) isBusy = false
    throw error
  } finally {
    signal.removeEventListener('abort', onAbort)
    await stop()
  }
}

const isMariaDb = (version: string) => /mariadb/i.test(version)

/** Returns the version of the server. */
async function begin(connection: Connection, timeout_seconds: number): Promise<string> {
  // A fallback for a lost reader; a reader that is still there ends the statement earlier and reports it.
  const limit = timeout_seconds + SPARE_SECONDS
  const [[version = ''] = []] = await ask(connection, 'select version()')
  // Also for the session, because a procedure could end the transaction.
  await ask(connection, 'set session transaction read only')
  await ask(connection, `set time_zone = '+00:00', net_write_timeout = ${limit}`)
  await ask(
    connection,
    isMariaDb(version)
      ? `set max_statement_time = ${limit}`
      : `set max_execution_time = ${limit * MILLISECONDS}`,
  )
  await ask(connection, 'start transaction read only')
  return version
}

// Including the user's roles, which MariaDB lists by itself. Role names are quoted as the server returns them.
async function grantsOf(connection: Connection, version: string): Promise<string[]> {
  const hasRoles = !isMariaDb(version) && !version.startsWith('5.')
  const [[roles = 'NONE'] = []] = hasRoles ? await ask(connection, 'select current_role()') : []
  const using = roles === 'NONE' ? '' : ` for current_user() using ${roles}`
  return (await ask(connection, `show grants${using}`)).flat()
}

async function* readStatement(
  { connection, socket }: MysqlSession,
  { settings, notes }: DatabaseRead,
): AsyncGenerator<Uint8Array[]> {
  const word = firstKeyword(settings.statement)
  if (!READING.has(word)) throw new OriginFailure('invalid', originMessages.statement_not_reading(word))
  if ((await countColumns(connection, settings.statement)) === 0)
    throw new OriginFailure('invalid', originMessages.statement_answers_nothing)
  const query = connection.query({ sql: settings.statement, rowsAsArray: true, typeCast: false })
  const rows = query.stream({ highWaterMark: ROWS_AHEAD })
  // mysql2 reports a broken connection only on the connection; without this the rows would never end.
  connection.once('error', (error) => rows.destroy(error))
  socket.once('close', () => rows.destroy(new Error('The connection was closed.')))
  let columns: FieldPacket[] = []
  rows.once('fields', (fields: FieldPacket[]) => {
    columns = fields
  })
  let writers: ReturnType<typeof cellWriter>[] | undefined
  const header = () => {
    writers = columns.map((described, column) => cellWriter(described, column, notes))
    return Buffer.from(rowOf(columns.map(({ name }, column) => textCell(name, column, notes))))
  }
  let batch: Uint8Array[] = []
  let bytes = 0
  for await (const row of rows) {
    if (!writers) batch.push(header())
    const cells = Cells.parse(row).map((cell, column) => writers?.[column]?.(cell) ?? BLANK_CELL)
    const json = Buffer.from(rowOf(cells))
    batch.push(json)
    bytes += json.length
    // A row is not held back if no other is available yet.
    if (bytes < BATCH_BYTES && rows.readableLength > 0) continue
    yield batch
    batch = []
    bytes = 0
  }
  if (!writers) yield [header()]
}

const Cells = z.array(z.nullable(z.instanceof(Buffer)))
