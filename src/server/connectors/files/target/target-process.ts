import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { OriginFailure } from '../../connector.ts'
import { IsolatedProcess } from '../../isolated/child.ts'
import { JobFailure } from '../file-jobs.ts'
import { CPU_SECONDS, MEGABYTES } from '../read-file.ts'
import { JobEnd, type TargetJob } from './target-jobs.ts'

const PROGRAM = join(import.meta.dirname, 'target-program.ts')
/** After this time without a job the process is ended. The next job starts another one, in a third of a second. */
const IDLE_MS = 5_000
const ARRAY = 0x5b

type Limits = { megabytes: number; cpu_seconds: number }
const LIMITS: Limits = { megabytes: MEGABYTES, cpu_seconds: CPU_SECONDS }

/** Does jobs on one target file. */
export type TargetJobs = {
  /**
   * Does a job, and returns the lines of its answer in batches: arrays are data. `input`: lines to send after the job. Throws
   * OriginFailure, the reason of the signal, or the failure of `input`.
   */
  lines(job: TargetJob, input?: AsyncIterable<string>): AsyncGenerator<Uint8Array[]>
}

/** `parts`: what the paths of the copies that the run writes begin with. */
export type CreateJobs = (path: string, parts: string, signal: AbortSignal) => TargetJobs

type Started = { child: IsolatedProcess; close: () => Promise<void> }

/**
 * Parses and writes a target file in processes of their own, which may read only this file, and write only the run's copies of it. A job
 * takes the process of the one before, if that is idle.
 */
export class TargetProcess implements TargetJobs {
  readonly #path: string
  readonly #parts: string
  readonly #signal: AbortSignal
  readonly #limits: Limits
  #idle: (Started & { timer: NodeJS.Timeout }) | null = null

  constructor(path: string, parts: string, signal: AbortSignal, limits: Limits = LIMITS) {
    this.#limits = limits
    this.#path = path
    this.#parts = parts
    this.#signal = signal
  }

  async *lines(job: TargetJob, input?: AsyncIterable<string>): AsyncGenerator<Uint8Array[]> {
    const started = await this.#take()
    const { child } = started
    let isReusable = false
    let fault: { error: unknown } | null = null
    child.send(JSON.stringify(job))
    const feeding = feed(child, input).catch(async (error: unknown) => {
      fault = { error }
      await child.end()
    })
    try {
      for (;;) {
        const { value: lines = [], done } = await child.lines.next()
        if (fault) throw (fault as { error: unknown }).error
        this.#signal.throwIfAborted()
        if (done) throw await child.failure()
        const last = lines.at(-1)
        const end = last && last[0] !== ARRAY ? parsed(last) : null
        const failure = JobFailure.safeParse(end).data
        if (failure) {
          // It may not have taken all of its input.
          isReusable = !input
          throw new OriginFailure(failure.kind, failure.message)
        }
        const isEnd = JobEnd.safeParse(end).success
        const answered = isEnd ? lines.slice(0, -1) : lines
        if (isEnd) isReusable = true
        if (answered.length > 0) yield answered
        if (isEnd) return
      }
    } finally {
      if (isReusable) this.#keep(started)
      else await started.close()
      await feeding
    }
  }

  async #take(): Promise<Started> {
    this.#signal.throwIfAborted()
    const idle = this.#idle
    this.#idle = null
    if (!idle) return this.#start()
    clearTimeout(idle.timer)
    return idle
  }

  #keep(started: Started): void {
    if (this.#idle || this.#signal.aborted) {
      void started.close()
      return
    }
    const timer = setTimeout(() => {
      this.#idle = null
      void started.close()
    }, IDLE_MS)
    timer.unref()
    this.#idle = { ...started, timer }
  }

  async #start(): Promise<Started> {
    const folder = await mkdtemp(join(tmpdir(), 'rowferry-target-'))
    const child = new IsolatedProcess(
      {
        program: PROGRAM,
        ...this.#limits,
        readable: [this.#path],
        writable: [folder, `${this.#parts}*`],
        args: [folder],
      },
      this.#signal,
    )
    const close = async () => {
      await child.end()
      await rm(folder, { recursive: true, force: true })
    }
    return { child, close }
  }
}

async function feed(child: IsolatedProcess, input: AsyncIterable<string> | undefined): Promise<void> {
  if (!input) return
  for await (const line of input) if (!(await child.sendNext(line))) return
}

function parsed(line: Uint8Array): unknown {
  return JSON.parse(Buffer.from(line).toString('utf8'))
}
