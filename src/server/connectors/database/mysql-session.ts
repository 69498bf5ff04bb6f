import { isIP } from 'node:net'
import { type Connection, createConnection } from 'mysql2'
import { z } from 'zod'
import type { DatabaseSettings } from '../../../contract/connections/calls.ts'
import { originMessages } from '../../../contract/connections/server-messages.ts'
import { limits } from '../../../contract/limits.ts'

import { OriginFailure } from '../connector.ts'
import { GuardedSocket } from './guarded-socket.ts'
import { type Server, whereOf } from './server.ts'

const SECONDS = 1000
const CANCEL_MS = 3 * SECONDS

/** A connection and its socket. Destroying the socket ends it at once. */
export type MysqlSession = { connection: Connection; socket: GuardedSocket }

/** Connects to the server. Throws mysql2's errors. */
export async function connectToMysql(
  server: Server,
  settings: DatabaseSettings,
  signal: AbortSignal,
): Promise<MysqlSession> {
  // mysql2 would check the certificate for the name localhost.
  if (settings.tls === 'verify' && isIP(server.host) !== 0)
    throw new OriginFailure('invalid', originMessages.database_tls_by_name(whereOf(settings)))
  const socket = new GuardedSocket(server).connect()
  const connection = createConnection({
    host: server.host,
    port: server.port,
    database: settings.database,
    user: settings.user,
    password: settings.password ?? '',
    // mysql2 checks the certificate's name only on request.
    ...(settings.tls === 'verify' && {
      ssl: { rejectUnauthorized: true, verifyIdentity: true, ...(server.trusted && { ca: server.trusted }) },
    }),
    stream: () => socket,
    connectTimeout: limits.origin_request_seconds * SECONDS,
    charset: 'utf8mb4',
    // Otherwise the server could request local files.
    flags: ['-LOCAL_FILES'],
  })
  // Pending calls get the error; without one it must not crash the process.
  connection.on('error', () => {})
  const onAbort = () => void socket.destroy()
  signal.addEventListener('abort', onAbort)
  try {
    signal.throwIfAborted()
    await answerOf((done) => connection.connect(done))
  } catch (error) {
    socket.destroy()
    throw error
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
  return { connection, socket }
}

/** Kills a connection's running statement with another connection. If that fails, the statement's timeout ends it. */
export async function killQuery(server: Server, settings: DatabaseSettings, id: number): Promise<void> {
  try {
    const { connection, socket } = await connectToMysql(server, settings, AbortSignal.timeout(CANCEL_MS))
    socket.setTimeout(CANCEL_MS, () => socket.destroy())
    await ask(connection, `kill query ${id}`)
    connection.end()
  } catch {
    // Ignored: the server may be unreachable.
  }
}

/** Executes an internal statement and returns its cells as text. */
export const ask = async (connection: Connection, sql: string): Promise<string[][]> =>
  Answers.parse(
    await answerOf((done) =>
      connection.query({ sql, rowsAsArray: true, typeCast: (field) => field.string() }, done),
    ),
  )
const Answers = z.array(z.array(z.string())).catch([])

/** Number of columns of a statement's result, without executing it. Several statements are refused. */
export const countColumns = async (connection: Connection, sql: string): Promise<number> =>
  Prepared.parse(await answerOf((done) => connection.prepare(sql, done))).columns.length

const Prepared = z.object({ columns: z.array(z.unknown()) })

function answerOf(act: (done: (error: Error | null, answer?: unknown) => void) => void): Promise<unknown> {
  return new Promise((resolve, reject) => act((error, answer) => (error ? reject(error) : resolve(answer))))
}
