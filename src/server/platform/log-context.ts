import { AsyncLocalStorage } from 'node:async_hooks'

/** On whose behalf something is done, as each line of the log says it. */
export type LogContext = { request_id?: string; run_id?: number; task_id?: number; job_id?: number }

const storage = new AsyncLocalStorage<LogContext>()

/** Does something on behalf of a request, a run or a CSV job: whatever it and what it starts log has these ids. */
export const withLogContext = <T>(context: LogContext, work: () => T): T => storage.run(context, work)

/** The ids of what is being done; none outside of a request, run or job. */
export const logContext = (): LogContext => storage.getStore() ?? {}

/** The request that is being answered, or was what asked for the run or job at hand; null: none. */
export const requestId = (): string | null => logContext().request_id ?? null
