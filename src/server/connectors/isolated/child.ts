import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { originMessages as messages } from '../../../contract/origin-messages.ts'
import { OriginFailure } from '../connector.ts'

const LINE_END = 0x0a
const ROOT = join(import.meta.dirname, '../../../..')
/** The program and its libraries, which every such process may read. */
const SOURCES = ['src', 'node_modules', 'package.json'].map((name) => join(ROOT, name))

export type Isolation = {
  /** Path of the program, which begins with `watchLimits`. */
  program: string
  /** Beyond it the process is ended. */
  megabytes: number
  /** Of processor time for one piece of work, beyond which it is ended; null: no limit but `signal`. */
  cpu_seconds: number | null
  /** Folders that it may read beside the program. */
  readable?: string[]
  args?: string[]
}

/**
 * A process for work on data from outside that may take long, or much memory: it has no environment, few rights, and limits that a
 * thread of its own watches. It is asked and answers in lines of its standard input and output, and ends with `signal`, at `end`, and
 * with this process.
 */
export class IsolatedProcess {
  readonly #child: ChildProcessWithoutNullStreams
  readonly #exited: Promise<unknown>
  readonly #isolation: Isolation
  readonly #signal: AbortSignal
  readonly #kill = () => {
    this.#child.kill('SIGKILL')
  }
  /** Its lines, some at a time, without their ends. */
  readonly lines: AsyncGenerator<Uint8Array[]>
  #complaint = ''

  constructor(isolation: Isolation, signal: AbortSignal) {
    const { program, megabytes, cpu_seconds, readable = [], args = [] } = isolation
    this.#isolation = isolation
    this.#signal = signal
    this.#child = spawn(
      process.execPath,
      [
        '--no-warnings',
        '--permission',
        '--allow-worker',
        ...[...SOURCES, ...readable].map((path) => `--allow-fs-read=${path}`),
        `--max-old-space-size=${Math.round(megabytes * 0.6)}`,
        program,
        String(megabytes),
        String(cpu_seconds ?? 0),
        ...args,
      ],
      { cwd: '/', env: environment(), stdio: ['pipe', 'pipe', 'pipe'] },
    )
    this.#exited = once(this.#child, 'exit')
    signal.addEventListener('abort', this.#kill)
    // It may be gone already; its lines tell.
    this.#child.stdin.on('error', () => {})
    this.#child.stderr.on('data', (piece: Buffer) => {
      this.#complaint = (this.#complaint + piece.toString('utf8')).slice(0, 2000)
    })
    this.lines = linesOf(this.#child.stdout)
  }

  /** Sends a line, and bytes behind it. */
  send(line: string, bytes?: Uint8Array): void {
    this.#child.stdin.write(`${line}\n`)
    if (bytes) this.#child.stdin.write(bytes)
  }

  /** Why it ended without an answer. */
  async failure(): Promise<OriginFailure> {
    await this.#exited
    const { megabytes, cpu_seconds } = this.#isolation
    const cause = this.#complaint
    // The heap has a limit of its own, below that of all memory.
    if (cause.startsWith('memory') || /heap out of memory|Reached heap limit/.test(cause))
      return new OriginFailure('invalid', messages.isolated_memory(megabytes))
    if (cause.startsWith('time'))
      return new OriginFailure('invalid', messages.isolated_time(cpu_seconds ?? 0))
    return new OriginFailure('unavailable', messages.isolated_ended, { cause })
  }

  /** Ends it, whatever it is at. */
  async end(): Promise<void> {
    this.#signal.removeEventListener('abort', this.#kill)
    this.#kill()
    await this.#exited
  }
}

/** Authorities that this process trusts are trusted by the other one, too. */
const environment = (): Record<string, string> => {
  const { NODE_EXTRA_CA_CERTS: certificates } = process.env
  return certificates === undefined ? {} : { NODE_EXTRA_CA_CERTS: certificates }
}

async function* linesOf(stream: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array[]> {
  let rest: Buffer[] = []
  for await (const piece of stream) {
    if (!piece.includes(LINE_END)) {
      rest.push(piece)
      continue
    }
    const whole = rest.length > 0 ? Buffer.concat([...rest, piece]) : piece
    const lines: Uint8Array[] = []
    let at = 0
    for (let end = whole.indexOf(LINE_END); end >= 0; end = whole.indexOf(LINE_END, at)) {
      lines.push(whole.subarray(at, end))
      at = end + 1
    }
    rest = at < whole.length ? [whole.subarray(at)] : []
    yield lines
  }
}
