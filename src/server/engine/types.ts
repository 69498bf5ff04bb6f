import type { Db, Trx } from '../platform/db.ts'
import type { LogLevel, TaskCategory } from '../platform/schema.ts'
/** The origin of a run, and how the log names it. */
export type Trigger = {
  kind: 'manual' | 'group' | 'all' | 'schedule'
  label: string
  user_id: number | null
}

/**
 * What a run has to do, and the exclusive key of the data it works on (null: none). `mounts`: folders that a worker must have to execute
 * it; default none.
 */
export type TaskDefinition = {
  definition: object
  exclusive_key: string | null
  mounts?: readonly string[]
}

/** Configured folders by name: those that this process can open now, and the others. */
export type MountStates = { mounts: string[]; missing: string[] }

/** What a run does. Handlers are passed to the engine by category at start-up; the engine knows none by name. */
export type RunHandler = {
  category: TaskCategory
  /**
   * Reads the definitions of tasks, which are stored in their runs. Called in the queueing transaction, once for all
   * tasks of a batch, or at the start of the run if the queueing process has no handler. Throws if a task has no
   * definition.
   */
  snapshotDefinition(trx: Trx, task_ids: readonly number[]): Promise<Map<number, TaskDefinition>>
  /**
   * Reasons, by task id, why runs of these tasks would fail until a user acts. Checked before a schedule starts a
   * task; a run requested by a user starts anyway.
   */
  blockers?(trx: Trx, task_ids: readonly number[]): Promise<Map<number, string>>
  /** Executes the run, from its checkpoint if there is one. Throws RunFailure, or the signal's reason. */
  run(context: RunContext): Promise<RunResult>
  /** Removes what finished runs left outside the database. Called periodically; must take at most a few seconds. */
  cleanUp?(db: Db): Promise<void>
}

/**
 * The result of a successful run; a Warning if it has unacknowledged warnings. `commit` runs in the transaction that
 * ends the run, so both happen or neither.
 */
export type RunResult = {
  message: string
  receipt: unknown
  commit?(trx: Trx): Promise<void>
}

/** A handler's interface to its run. All writes go through `transaction`, which proves the lease first. */
export type RunContext = {
  run: {
    id: number
    task_id: number
    definition: unknown
    checkpoint: unknown
  }
  db: Db
  /**
   * Aborted with a RunInterruption when the run must stop, timed out, lost its lease, or the worker shuts down. Pass
   * it to every outside call.
   */
  signal: AbortSignal
  /** Proves that this worker still holds the lease; throws the interruption otherwise. Call it before every outside call. */
  assertLease(): Promise<void>
  /** Runs `work` in a transaction that rolls back and throws if the lease is lost. */
  transaction<T>(work: (trx: Trx) => Promise<T>): Promise<T>
  /**
   * Rows done, rows in total (null: unknown) and the current phase; omitted fields are unchanged. Written and
   * notified at most twice a second.
   */
  progress(state: Partial<{ rows_done: number; rows_total: number | null; phase: string }>): Promise<void>
  /** Stores the state from which a worker continues after a redelivery; any JSON. */
  checkpoint(value: unknown): Promise<void>
  log(level: LogLevel, message: string): Promise<void>
  /**
   * Reports a problem that does not end the run. `subject` distinguishes warnings of a kind, for example by the cells
   * concerned: the same kind and subject in a later run is the same warning. Logged once per run.
   */
  warn(warning: { kind: string; subject: string; message: string }): Promise<void>
  /** Shows what the run waits for, for at most `ms`, until the returned function is called. */
  wait(
    wait: { for: 'quota'; service: string; ms: number } | { for: 'backoff'; reason: string; ms: number },
  ): () => void
  /** Replaces the exclusive key by a more precise one. Throws RunFailure (retryable) while another run holds it. */
  lockKey(key: string): Promise<void>
}

/** `edited_cells`: a version could only be restored if cells that were edited since lose their values. */
export type FailureKind = 'edited_cells'

/** A failed run, and whether a retry may succeed. */
export class RunFailure extends Error {
  override name = 'RunFailure'
  readonly retryable: boolean
  /** What pages offer a way out of; null: nothing. */
  readonly kind: FailureKind | null
  /** Earliest useful retry in seconds, if the origin specified one. */
  readonly retry_after_seconds: number | null
  constructor(
    message: string,
    options: {
      retryable: boolean
      kind?: FailureKind
      retry_after_seconds?: number | undefined
      cause?: unknown
    },
  ) {
    super(message, { cause: options.cause })
    this.retryable = options.retryable
    this.kind = options.kind ?? null
    this.retry_after_seconds = options.retry_after_seconds ?? null
  }
}

/** Why a run was interrupted; the reason of its abort signal. */
export class RunInterruption extends Error {
  override name = 'RunInterruption'
  readonly kind: 'stop' | 'timeout' | 'drain' | 'lease_lost'
  constructor(kind: 'stop' | 'timeout' | 'drain' | 'lease_lost') {
    super(`The run was interrupted: ${kind}`)
    this.kind = kind
  }
}
