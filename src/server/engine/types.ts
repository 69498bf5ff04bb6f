import type { Db, Trx } from '../platform/db.ts'
import type { LogLevel, TaskCategory } from '../platform/schema.ts'
/** Who or what asked for a run, and how the log names it. */
export type Trigger = {
  kind: 'manual' | 'group' | 'all' | 'schedule'
  label: string
  user_id: number | null
}

/** What a run is to do, and the key of what only one run may work on at a time (null: nothing). */
export type TaskDefinition = { definition: object; exclusive_key: string | null }

/** What a run does. Handlers are given to the engine at start-up by category; the engine knows none by name. */
export type RunHandler = {
  category: TaskCategory
  /**
   * Reads the definitions of tasks, each frozen into its run when that is queued. Called inside the queueing
   * transaction, once for all tasks that are queued together, or when a run begins if whoever queued it did not know the
   * job. Throws when one of them has none.
   */
  snapshotDefinition(trx: Trx, task_ids: readonly number[]): Promise<Map<number, TaskDefinition>>
  /**
   * Why runs of these tasks would come to nothing until a person has acted, by task id; tasks that may start are left
   * out. Asked before a schedule starts them, which it then does not. What a person starts is started.
   */
  blockers?(trx: Trx, task_ids: readonly number[]): Promise<Map<number, string>>
  /** Carries the run out, from its checkpoint if another worker began it. Throws RunFailure, or passes on the signal's reason. */
  run(context: RunContext): Promise<RunResult>
  /** Removes what runs that are over left behind outside the database. Called now and then; a few seconds at most. */
  cleanUp?(db: Db): Promise<void>
}

/**
 * How a run ended well: as a Warning if it gave warnings that nobody has acknowledged. `commit` runs inside the transaction that
 * ends the run, so both happen or neither.
 */
export type RunResult = {
  message: string
  receipt: unknown
  commit?(trx: Trx): Promise<void>
}

/** What a handler is given. All writes of a run go through `transaction`, which proves the lease first. */
export type RunContext = {
  run: {
    id: number
    task_id: number
    definition: unknown
    checkpoint: unknown
  }
  db: Db
  /** Aborted with a RunInterruption when the run is to stop, has timed out, has lost its lease, or the worker drains. Pass it to every outside call. */
  signal: AbortSignal
  /** Proves that this worker still holds the run; throws the interruption otherwise. To be called before every outside call. */
  assertLease(): Promise<void>
  /** Runs `work` in a transaction that holds the lease: it rolls back and throws when the lease is lost. */
  transaction<T>(work: (trx: Trx) => Promise<T>): Promise<T>
  /** Rows done so far and in all (null: not known yet), and what is being done; what is left out stays. Written and announced at most twice a second. */
  progress(state: Partial<{ rows_done: number; rows_total: number | null; phase: string }>): Promise<void>
  /** Stores where a worker that gets the run redelivered goes on; any JSON. */
  checkpoint(value: unknown): Promise<void>
  log(level: LogLevel, message: string): Promise<void>
  /**
   * Something to be looked at, although the run goes on. `subject` tells it from others of its kind, such as the cells it is
   * about: the same kind and subject in a later run is the same warning. Logged once a run.
   */
  warn(warning: { kind: string; subject: string; message: string }): Promise<void>
  /** Tells what the run waits for, `ms` from now on at most, until the function that it returns is called. */
  wait(
    wait: { for: 'quota'; service: string; ms: number } | { for: 'backoff'; reason: string; ms: number },
  ): () => void
  /** Takes a more exact exclusive key once it is known. Throws RunFailure (retryable) while another run holds it. */
  lockKey(key: string): Promise<void>
}

/** A run that failed, and whether a later attempt may succeed. */
export class RunFailure extends Error {
  override name = 'RunFailure'
  readonly retryable: boolean
  /** Earliest sensible next attempt in seconds, when the origin said one. */
  readonly retry_after_seconds: number | null
  constructor(
    message: string,
    options: { retryable: boolean; retry_after_seconds?: number | undefined; cause?: unknown },
  ) {
    super(message, { cause: options.cause })
    this.retryable = options.retryable
    this.retry_after_seconds = options.retry_after_seconds ?? null
  }
}

/** Why a run was interrupted from outside; the reason of its abort signal. */
export class RunInterruption extends Error {
  override name = 'RunInterruption'
  readonly kind: 'stop' | 'timeout' | 'drain' | 'lease_lost'
  constructor(kind: 'stop' | 'timeout' | 'drain' | 'lease_lost') {
    super(`The run was interrupted: ${kind}`)
    this.kind = kind
  }
}
