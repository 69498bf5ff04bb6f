import { Readable, Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { Client, type ClientBase, type Pool, type PoolClient } from 'pg'
import { z } from 'zod'

/** How long nothing comes or goes on a connection that owes an answer before the server is asked about it. */
const SILENT_MS = 15_000
const TIME_LIMIT_MS = 5_000

const Numbers = z.tuple([z.object({ number: z.int() })])
const Session = z.object({ waits_for_us: z.boolean() })

/** To whoever waits for it the same as a connection that timed out. */
class LostAnswer extends Error {
  override name = 'LostAnswer'
  override message = 'An answer of the database got lost on the way'
  code = 'ETIMEDOUT'
}

type Owed = { answers: number; bytes: number; since: number; asking: boolean }

/**
 * Breaks connections of the pool on which an answer got lost: a network that drops what it carries without a word would
 * keep whoever waits for it, and the locks of the session, for a quarter of an hour. A statement that takes long is none:
 * the server says, on a connection of its own, whether it is at work or waits for us.
 */
export function breakLostConnections(pool: Pool, url: string, silentMs = SILENT_MS): void {
  const numbers = new WeakMap<ClientBase, number>()
  const waiting = new Map<PoolClient, Owed>()
  let looking: NodeJS.Timeout | undefined

  pool.options.onConnect = async (client) => {
    numbers.set(client, await askNumber(client))
  }
  pool.on('connect', (client) =>
    watchQueries(client, (answer) => {
      const owed = waiting.get(client) ?? { answers: 0, bytes: 0, since: performance.now(), asking: false }
      owed.answers += 1
      waiting.set(client, owed)
      looking ??= setInterval(look, silentMs / 3).unref()
      void answer
        .catch(() => {})
        .then(() => {
          owed.answers -= 1
          if (owed.answers > 0) return
          waiting.delete(client)
          if (waiting.size > 0) return
          clearInterval(looking)
          looking = undefined
        })
    }),
  )

  function look(): void {
    for (const [client, owed] of waiting)
      if (!owed.asking && isSilent(client, owed, silentMs)) void ask(client, owed)
  }

  async function ask(client: PoolClient, owed: Owed): Promise<void> {
    owed.asking = true
    const number = numbers.get(client)
    const server = new Client({
      connectionString: url,
      connectionTimeoutMillis: TIME_LIMIT_MS,
      query_timeout: TIME_LIMIT_MS,
    })
    server.on('error', () => {})
    try {
      await server.connect()
      const { rows } = await server.query(
        `select state <> 'active' or wait_event_type = 'Client' as waits_for_us from pg_stat_activity where pid = $1`,
        [number],
      )
      // None where the server has ended it, as it does with transactions that rest too long: its word of that got lost, too.
      const [session] = z.array(Session).parse(rows)
      if (session && !session.waits_for_us) return
      // What has come or gone meanwhile was on its way.
      if (!waiting.has(client) || !isSilent(client, owed, silentMs)) return
      // Its locks go with it.
      if (session) await server.query('select pg_terminate_backend($1)', [number])
      client.connection.stream.destroy(new LostAnswer())
    } catch {
      // The database is away: the next look asks again.
    } finally {
      owed.asking = false
      void server.end().catch(() => {})
    }
  }
}

/**
 * The server's number for a connection. The one that a connection begins with is a pooler's own where there is one between. Throws
 * LostAnswer.
 */
async function askNumber(client: ClientBase): Promise<number> {
  const question = { text: 'select pg_backend_pid() as number', query_timeout: TIME_LIMIT_MS }
  const { rows } = await client.query(question).catch((cause: unknown) => {
    throw new LostAnswer(undefined, { cause })
  })
  const [{ number }] = Numbers.parse(rows)
  return number
}

/** Whether nothing has come or gone for so long. */
function isSilent({ connection }: PoolClient, owed: Owed, silentMs: number): boolean {
  const socket = z.object({ bytesRead: z.int(), bytesWritten: z.int() }).parse(connection.stream)
  const bytes = socket.bytesRead + socket.bytesWritten
  if (bytes !== owed.bytes) Object.assign(owed, { bytes, since: performance.now() })
  return performance.now() - owed.since >= silentMs
}

/**
 * Tells of each query that is sent, with a promise that settles with its answer. Where rows are read one piece after the other, each
 * piece is an answer, owed from when it is wanted: readers may take their time.
 */
function watchQueries(client: PoolClient, onQuery: (answer: Promise<unknown>) => void): void {
  const { query } = client
  // A property in place of a subclass, since `query` has ten signatures.
  Object.defineProperty(client, 'query', {
    configurable: true,
    value: (...given: unknown[]) => {
      const sent: unknown = Reflect.apply(query, client, given)
      if (sent instanceof Promise) onQuery(sent)
      else if (sent instanceof Writable) onQuery(finished(sent))
      else if (sent instanceof Readable) watchPieces(sent, onQuery)
      return sent
    },
  })
}

function watchPieces(rows: Readable, onWanted: (piece: Promise<unknown>) => void): void {
  const iterate = rows[Symbol.asyncIterator].bind(rows)
  async function* pieces() {
    const iterator = iterate()
    try {
      for (;;) {
        const wanted = iterator.next()
        onWanted(wanted)
        const { done, value } = await wanted
        if (done) return
        yield value
      }
    } finally {
      await iterator.return?.()
    }
  }
  Object.defineProperty(rows, Symbol.asyncIterator, { value: pieces })
}
