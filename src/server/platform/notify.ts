import { setTimeout as delay } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { Client } from 'pg'
import { z } from 'zod'
import { RunState } from '../../contract/runs/status.ts'
import type { Database } from './schema.ts'

const CHANNEL = 'rowferry'
const HEARTBEAT_MS = 10_000
const TIME_LIMIT_MS = 5_000
const MAX_PAUSE_MS = 5_000

/**
 * Notifications between processes through PostgreSQL. `run`: a run changed (state, progress); `log`: a line was
 * added; both are sent by triggers. `tasks`: the list of tasks changed; with `task_ids`, only these tasks. `jobs`:
 * runs wait for a worker. `schedules`: something may be due earlier than known. `csv_jobs`: imports or exports wait
 * for a worker. `access`: a user's session or token ended, or the user was disabled.
 */
export const Notice = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('run'), task_id: z.int().nullable(), run_id: z.int(), state: RunState }),
  z.object({ kind: z.literal('log'), task_id: z.int(), log_id: z.int() }),
  z.object({ kind: z.literal('tasks'), task_ids: z.array(z.int()).optional() }),
  z.object({ kind: z.literal('jobs') }),
  z.object({ kind: z.literal('schedules') }),
  z.object({ kind: z.literal('csv_jobs') }),
  z.object({ kind: z.literal('access'), user_id: z.int() }),
])
export type Notice = z.infer<typeof Notice>

/** Notifies every process when the transaction commits. `run`, `log` and `schedules` notices are sent by triggers. */
export async function notify(db: Kysely<Database>, notice: Notice): Promise<void> {
  await sql`select pg_notify(${CHANNEL}, ${JSON.stringify(notice)})`.execute(db)
}

type Listener = {
  onEvent: (notice: Notice) => void
  /** The connection is established; earlier notices may have been missed. */
  onGap: () => void
}
type Subscription = { close: () => Promise<void> }
type SharedConnection = { listeners: Set<Listener>; close: () => Promise<void> }

// One connection per database and process, shared by all listeners.
const connections = new Map<string, SharedConnection>()

/**
 * Calls `onEvent` for each notice, and `onGap` whenever the connection is established, because earlier notices may
 * have been missed. The connection is shared within the process and reconnects automatically; the last `close()` ends
 * it.
 */
export function listenForEvents(
  databaseUrl: string,
  onEvent: (notice: Notice) => void,
  { onGap = () => {} }: { onGap?: () => void } = {},
): Subscription {
  const listener: Listener = { onEvent, onGap }
  const connection = connections.get(databaseUrl) ?? openConnection(databaseUrl)
  connections.set(databaseUrl, connection)
  connection.listeners.add(listener)
  return {
    close: async () => {
      connection.listeners.delete(listener)
      if (connection.listeners.size > 0 || connections.get(databaseUrl) !== connection) return
      connections.delete(databaseUrl)
      await connection.close()
    },
  }
}

function openConnection(url: string): SharedConnection {
  const listeners = new Set<Listener>()
  const stop = new AbortController()
  const done = listenWithReconnect(url, listeners, stop.signal)
  return {
    listeners,
    close: async () => {
      stop.abort()
      await done
    },
  }
}

async function listenWithReconnect(
  url: string,
  listeners: Set<Listener>,
  signal: AbortSignal,
): Promise<void> {
  let pause = 100
  while (!signal.aborted) {
    const lasted = await listenOnce(url, listeners, signal)
    pause = lasted ? 100 : Math.min(pause * 2, MAX_PAUSE_MS)
    await waited(pause, signal)
  }
}

// Ends with the connection, which is not an error: the caller reconnects. True if it was established.
async function listenOnce(url: string, listeners: Set<Listener>, signal: AbortSignal): Promise<boolean> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: TIME_LIMIT_MS,
    query_timeout: TIME_LIMIT_MS,
    keepAlive: true,
    application_name: `${process.title.slice(0, 50)} listen`,
  })
  const { promise: ended, resolve: end } = Promise.withResolvers<unknown>()
  client.on('error', end)
  client.on('end', () => end(undefined))
  signal.addEventListener('abort', end)
  client.on('notification', ({ payload }) => {
    const notice = parseNotice(payload ?? '')
    if (notice) for (const listener of listeners) listener.onEvent(notice)
  })
  let up = false
  try {
    await client.connect()
    await client.query(`listen ${CHANNEL}`)
    up = true
    for (const listener of listeners) listener.onGap()
    await whileAnswering(client, ended)
  } catch {
    // The database is unavailable; listenWithReconnect retries.
  } finally {
    signal.removeEventListener('abort', end)
    await closeWithin(client)
  }
  return up
}

// A silently dropped connection is only detected by a query.
async function whileAnswering(client: Client, ended: Promise<unknown>): Promise<void> {
  const over = new AbortController()
  void ended.then(() => over.abort())
  while (await waited(HEARTBEAT_MS, over.signal)) await client.query('select 1')
}

async function closeWithin(client: Client): Promise<void> {
  const closed = new AbortController()
  const closing = client
    .end()
    .catch(() => {})
    .then(() => closed.abort())
  await Promise.race([closing, waited(TIME_LIMIT_MS, closed.signal)])
}

/** False if the signal ended the wait. */
const waited = (ms: number, signal: AbortSignal): Promise<boolean> =>
  delay(ms, undefined, { signal }).then(
    () => true,
    () => false,
  )

// A newer program may send unknown kinds.
function parseNotice(payload: string): Notice | null {
  try {
    return Notice.safeParse(JSON.parse(payload)).data ?? null
  } catch {
    return null
  }
}
