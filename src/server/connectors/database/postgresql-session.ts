import { Client, type Connection, type FieldDef, type Submittable } from 'pg'
import type { DatabaseSettings } from '../../../contract/connections/calls.ts'
import { limits } from '../../../contract/limits.ts'
import { GuardedSocket } from './guarded-socket.ts'
import type { Server } from './server.ts'

const SECONDS = 1000
const CANCEL_MS = 3 * SECONDS

/** A connection and its socket. Destroying the socket ends it at once. */
export type Session = { client: Client; socket: GuardedSocket }

/** Connects with the settings only; environment variables and password files are ignored. */
export async function connectTo(
  server: Server,
  settings: DatabaseSettings,
  signal: AbortSignal,
): Promise<Session> {
  const socket = new GuardedSocket(server)
  const client = new Client({
    host: server.host,
    port: server.port,
    database: settings.database,
    user: settings.user,
    password: () => settings.password ?? '',
    ssl: settings.tls === 'verify' && { rejectUnauthorized: true, host: server.host, ca: server.trusted },
    stream: () => socket,
    connectionTimeoutMillis: limits.origin_request_seconds * SECONDS,
    application_name: 'rowferry',
    client_encoding: 'UTF8',
  })
  // Pending calls get the error; without one it must not crash the process.
  client.on('error', () => {})
  const onAbort = () => void socket.destroy()
  signal.addEventListener('abort', onAbort)
  try {
    signal.throwIfAborted()
    await client.connect()
  } catch (error) {
    socket.destroy()
    throw error
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
  return { client, socket }
}

/**
 * Cancels a connection's running statement with another connection. If that fails, the statement's timeout ends it.
 */
export async function cancel(server: Server, settings: DatabaseSettings, pid: number): Promise<void> {
  try {
    const { client, socket } = await connectTo(server, settings, AbortSignal.timeout(CANCEL_MS))
    socket.setTimeout(CANCEL_MS, () => socket.destroy())
    await client.query('select pg_cancel_backend($1)', [pid])
    await client.end()
  } catch {
    // Ignored: the server may be unreachable.
  }
}

/**
 * Columns of a statement's result, without executing it; null if it returns no rows. Several statements are refused.
 */
export function describe(client: Client, statement: string): Promise<FieldDef[] | null> {
  return new Promise((resolve, reject) => {
    let columns: FieldDef[] | null = null
    const question: Submittable & Record<string, unknown> = {
      submit(connection: Connection) {
        // The extended protocol accepts a single statement only.
        connection.parse({ name: '', text: statement, types: [] }, true)
        connection.describe({ type: 'S', name: '' }, true)
        connection.sync()
      },
      handleRowDescription({ fields }: { fields: FieldDef[] }) {
        columns = fields
      },
      handleError: reject,
      handleReadyForQuery: () => resolve(columns),
    }
    client.query(question)
  })
}
