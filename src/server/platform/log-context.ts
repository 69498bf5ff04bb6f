import { AsyncLocalStorage } from 'node:async_hooks'

/** The request, run or job that each log line names. */
export type LogContext = { request_id?: string; run_id?: number; task_id?: number; job_id?: number }

const storage = new AsyncLocalStorage<LogContext>()

/** Runs `work` in the context of a request, run or CSV job: all log lines below it have these ids. */
export const withLogContext = <T>(context: LogContext, work: () => T): T => storage.run(context, work)

/** The ids of the current context; none outside. */
export const logContext = (): LogContext => storage.getStore() ?? {}

/** The current request, or the one that queued the current run or job; null if none. */
export const requestId = (): string | null => logContext().request_id ?? null
