import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { originMessages } from '../../../contract/connections/server-messages.ts'

import { OriginFailure } from '../connector.ts'

const LINE_END = 0x0a
const ROOT = join(import.meta.dirname, '../../../..')
/** Code that every such process may read. */
const SOURCES = ['src', 'node_modules', 'package.json'].map((name) => join(ROOT, name))

export type Isolation = {
  /** Path of the program, which must call `watchLimits` first. */
  program: string
  /** Memory limit. */
  megabytes: number
  /** Processor time per job; null: only `signal` limits it. */
  cpu_seconds: number | null
  /** Additional readable files and folders. */
  readable?: string[]
  /** Folders that it may write. */
  writable?: string[]
  args?: string[]
}

/**
 * A process for untrusted data: without environment, with few permissions, and with limits enforced by its own
 * watchdog thread. It exchanges lines over standard input and output, and ends with `signal`, with `end`, or with
 * this process.
 */
export class IsolatedProcess {
  readonly #child: ChildProcessWithoutNullStreams
  readonly #exited: Promise<unknown>
  readonly #isolation: Isolation
  readonly #signal: AbortSignal
  readonly #kill = () => {
    this.#child.kill('SIGKILL')
  }
  /** Its output lines in batches, without line ends. */
  readonly lines: AsyncGenerator<Uint8Array[]>
  #complaint = ''

  constructor(isolation: Isolation, signal: AbortSignal) {
    const { program, megabytes, cpu_seconds, readable = [], writable = [], args = [] } = isolation
    this.#isolation = isolation
    this.#signal = signal
    this.#child = spawn(
      process.execPath,
      [
        '--no-warnings',
        '--permission',
        '--allow-worker',
        ...[...SOURCES, ...readable, ...writable].map((path) => `--allow-fs-read=${path}`),
        ...writable.map((path) => `--allow-fs-write=${path}`),
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
    // The process may have exited; reading its lines reports that.
    this.#child.stdin.on('error', () => {})
    this.#child.stderr.on('data', (piece: Buffer) => {
      this.#complaint = (this.#complaint + piece.toString('utf8')).slice(0, 2000)
    })
    this.lines = linesOf(this.#child.stdout)
  }

  /** Sends a line, followed by bytes. */
  send(line: string, bytes?: Uint8Array): void {
    this.#child.stdin.write(`${line}\n`)
    if (bytes) this.#child.stdin.write(bytes)
  }

  /** Sends a line, and waits until the process has room for the next one; false if it has exited. */
  async sendNext(line: string): Promise<boolean> {
    const { stdin } = this.#child
    if (stdin.destroyed) return false
    if (stdin.write(`${line}\n`)) return true
    await new Promise<void>((resolve) => {
      stdin.once('drain', resolve).once('close', resolve)
    })
    return !stdin.destroyed
  }

  /** Why it exited without a result. */
  async failure(): Promise<OriginFailure> {
    await this.#exited
    const { megabytes, cpu_seconds } = this.#isolation
    const cause = this.#complaint
    // The heap limit is lower than the total.
    if (cause.startsWith('memory') || /heap out of memory|Reached heap limit/.test(cause))
      return new OriginFailure('invalid', originMessages.isolated_memory(megabytes))
    if (cause.startsWith('time'))
      return new OriginFailure('invalid', originMessages.isolated_time(cpu_seconds ?? 0))
    return new OriginFailure('unavailable', originMessages.isolated_ended, { cause })
  }

  /** Kills it. */
  async end(): Promise<void> {
    this.#signal.removeEventListener('abort', this.#kill)
    this.#kill()
    await this.#exited
  }
}

/** Passes on additional certificate authorities. */
const environment = (): Record<string, string> => {
  const { NODE_EXTRA_CA_CERTS: certificates } = process.env
  return certificates === undefined ? {} : { NODE_EXTRA_CA_CERTS: certificates }
}

/** The lines of a stream in batches, without line ends. */
export async function* linesOf(stream: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array[]> {
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
