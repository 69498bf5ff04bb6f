import { Socket } from 'node:net'
import { type Duplex, Readable, Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { sql } from 'kysely'
import { Client, type ClientConfig } from 'pg'
import { z } from 'zod'

/** How long a connection that owes an answer may be silent before the server is asked about its session. */
const SILENCE_LIMIT_MS = 15_000
const CHECK_TIMEOUT_MS = 5_000
const READ_BUFFER_BYTES = 65_536

const PREPARED_MARK = '/* prepared */'

/**
 * Begins a statement that runs often: each connection prepares it once and reuses it, with its plan where one plan fits all
 * parameters. Its text must never vary, and it must name the columns that it returns.
 */
export const prepared = sql.raw(PREPARED_MARK)

export type PooledClientConfig = ClientConfig & {
  /** Default 15,000. */
  silence_limit_ms?: number | undefined
  /** Default true. False for pg-copy-streams' COPY TO STDOUT, which pipes from the socket. */
  reuse_read_buffer?: boolean | undefined
}

/** Thrown to callers of a query whose answer was lost by the network; handled like a connection that timed out. */
class LostAnswer extends Error {
  override name = 'LostAnswer'
  override message = 'An answer of the database got lost on the way'
  code = 'ETIMEDOUT'
}

/**
 * pg's client with three additions: statements marked `prepared` are prepared once per connection; the socket reads into one
 * reused buffer; a connection whose answer was lost by the network is broken after some 15 s. Without the last, a network that
 * drops packets silently would block the caller, and the locks of its session, for a quarter of an hour.
 */
export class PooledClient extends Client {
  readonly #config: PooledClientConfig
  readonly #silenceLimitMs: number
  #backendPid: number | undefined
  /** Answers that the server still owes. */
  #pending = 0
  #timer: NodeJS.Timeout | undefined
  #bytes = 0
  #silentSince = 0
  #isChecking = false

  constructor(config: PooledClientConfig = {}) {
    const { reuse_read_buffer: reuses = true } = config
    super(reuses ? { ...config, stream: reusedBufferSocket } : config)
    this.#config = config
    this.#silenceLimitMs = config.silence_limit_ms ?? SILENCE_LIMIT_MS
  }

  /**
   * Must run before the first query. The process id that a connection receives at its start is the pooler's own where a pooler
   * stands in between, so the server is asked. Throws LostAnswer.
   */
  async readBackendPid(): Promise<void> {
    const question = { text: 'select pg_backend_pid() as pid', query_timeout: CHECK_TIMEOUT_MS }
    const { rows } = await super.query(question).catch((cause: unknown) => {
      throw new LostAnswer(undefined, { cause })
    })
    this.#backendPid = BackendPid.parse(rows)[0].pid
  }

  // `never` is assignable to the reply of each of pg's overloads; callers see those overloads.
  override query(...given: unknown[]): never {
    const reply: unknown = Reflect.apply(super.query, this, withStatementName(given))
    if (reply instanceof Promise) this.#watchAnswer(reply)
    else if (reply instanceof Writable) this.#watchAnswer(finished(reply))
    else if (reply instanceof Readable) onEachRead(reply, (answer) => this.#watchAnswer(answer))
    return reply as never
  }

  #watchAnswer(answer: Promise<unknown>): void {
    if (this.#pending === 0) {
      this.#silentSince = performance.now()
      this.#timer = setInterval(() => void this.#breakIfLost(), this.#silenceLimitMs / 3).unref()
    }
    this.#pending += 1
    const settle = () => {
      this.#pending -= 1
      if (this.#pending === 0) clearInterval(this.#timer)
    }
    answer.then(settle, settle)
  }

  async #breakIfLost(): Promise<void> {
    if (this.#isChecking || !this.#isSilent()) return
    this.#isChecking = true
    const checker = new Client({
      connectionString: this.#config.connectionString,
      connectionTimeoutMillis: CHECK_TIMEOUT_MS,
      query_timeout: CHECK_TIMEOUT_MS,
    })
    checker.on('error', () => {})
    try {
      await checker.connect()
      const { rows } = await checker.query(
        `select state <> 'active' or wait_event_type = 'Client' as waits_for_client from pg_stat_activity where pid = $1`,
        [this.#backendPid],
      )
      // No row if the server has ended the session, as it does with transactions that are idle for too long.
      const [session] = z.array(Session).parse(rows)
      if (session && !session.waits_for_client) return
      // The answer may have arrived meanwhile.
      if (this.#pending === 0 || !this.#isSilent()) return
      // Releases the session's locks.
      if (session) await checker.query('select pg_terminate_backend($1)', [this.#backendPid])
      this.connection.stream.destroy(new LostAnswer())
    } catch {
      // The database cannot be reached: the next interval tries again.
    } finally {
      this.#isChecking = false
      void checker.end().catch(() => {})
    }
  }

  /** Whether no byte was received or sent for the silence limit. */
  #isSilent(): boolean {
    const { bytesRead, bytesWritten } = ByteCounts.parse(this.connection.stream)
    const bytes = bytesRead + bytesWritten
    if (bytes !== this.#bytes) {
      this.#bytes = bytes
      this.#silentSince = performance.now()
    }
    return performance.now() - this.#silentSince >= this.#silenceLimitMs
  }
}

const BackendPid = z.tuple([z.object({ pid: z.int() })])
const Session = z.object({ waits_for_client: z.boolean() })
const ByteCounts = z.object({ bytesRead: z.int(), bytesWritten: z.int() })

const statementNames = new Map<string, string>()

/** Kysely cannot name a statement, so the name of a marked one is added to what it passes to `query`. */
function withStatementName(given: unknown[]): unknown[] {
  const [text, values, ...rest] = given
  if (typeof text !== 'string' || !text.startsWith(PREPARED_MARK)) return given
  const name = statementNames.get(text) ?? `statement_${statementNames.size + 1}`
  statementNames.set(text, name)
  return [{ name, text, values }, ...rest]
}

/** Where rows are read in batches, each batch is an answer that is owed once it is requested: readers may pause in between. */
function onEachRead(rows: Readable, onRequest: (batch: Promise<unknown>) => void): void {
  const iterate = rows[Symbol.asyncIterator].bind(rows)
  async function* batches() {
    const iterator = iterate()
    try {
      for (;;) {
        const batch = iterator.next()
        onRequest(batch)
        const { done, value } = await batch
        if (done) return
        yield value
      }
    } finally {
      await iterator.return?.()
    }
  }
  Object.defineProperty(rows, Symbol.asyncIterator, { value: batches })
}

const sharing = new WeakSet<Duplex>()

/**
 * A socket that reads into one buffer. By default Node allocates a buffer per read, which costs a full garbage collection for every
 * ten megabytes of rows. Listeners receive a copy of each chunk unless `shareReadBuffer` is on.
 */
function reusedBufferSocket(): Socket {
  const callback = (bytes: number, buffer: Uint8Array) => {
    const chunk = Buffer.from(buffer.buffer, buffer.byteOffset, bytes)
    socket.emit('data', sharing.has(socket) ? chunk : Buffer.from(chunk))
    return true
  }
  const socket: Socket = new Socket({
    onread: { buffer: Buffer.allocUnsafeSlow(READ_BUFFER_BYTES), callback },
  })
  return socket
}

/** Whether listeners of the socket receive the read buffer itself, which the next read overwrites. No effect on other streams. */
export function shareReadBuffer(socket: Duplex, isShared: boolean): void {
  if (isShared) sharing.add(socket)
  else sharing.delete(socket)
}
