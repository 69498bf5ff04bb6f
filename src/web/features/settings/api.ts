import { queryOptions } from '@tanstack/react-query'
import { limits } from '../../../contract/limits.ts'
import { type RunAllSchedule, schedules } from '../../../contract/schedules/calls.ts'
import { scheduleMessages } from '../../../contract/schedules/client-messages.ts'
import { serviceAccount } from '../../../contract/service-account/calls.ts'
import { syncPresets } from '../../../contract/sync-presets/calls.ts'
import { syncTaskMessages } from '../../../contract/sync-tasks/client-messages.ts'
import { taskMessages } from '../../../contract/tasks/client-messages.ts'
import { call } from '../../lib/call.ts'
import { withTimeLimit } from '../../lib/time-limit.ts'

const limited = (signal?: AbortSignal) => withTimeLimit(limits.schedule_timeout_ms, signal)

const timesQuery = (path: string, failure: string, read: (signal: AbortSignal) => Promise<RunAllSchedule>) =>
  queryOptions({
    queryKey: [path] as const,
    queryFn: ({ signal }) => read(signal),
    meta: { failure },
  })

/** A run-all schedule: how it is read and saved, and what is said about that. */
export type RunAll = {
  query: ReturnType<typeof timesQuery>
  /** `updated_at` is of the version that was edited: if that is not the newest, the server refuses. */
  save: (times: RunAllSchedule) => Promise<RunAllSchedule>
  load_failed: string
  saved: string
  save_failed: string
}

/** The times at which all sync tasks run. */
export const syncRunAll: RunAll = {
  query: timesQuery(schedules.syncRunAll.path, scheduleMessages.load_schedule_failed, (signal) =>
    call(schedules.syncRunAll, { signal }),
  ),
  save: (body) => call(schedules.saveSyncRunAll, { body }),
  load_failed: scheduleMessages.load_schedule_failed,
  saved: scheduleMessages.schedule_saved,
  save_failed: scheduleMessages.save_schedule_failed,
}

/** The times at which all source tasks run. */
export const sourceRunAll: RunAll = {
  query: timesQuery(schedules.sourceRunAll.path, scheduleMessages.load_source_schedule_failed, (signal) =>
    call(schedules.sourceRunAll, { signal: limited(signal) }),
  ),
  save: (body) => call(schedules.saveSourceRunAll, { body, signal: limited() }),
  load_failed: scheduleMessages.load_source_schedule_failed,
  saved: scheduleMessages.source_schedule_saved,
  save_failed: scheduleMessages.save_source_schedule_failed,
}

/** Removes all times at which all source tasks run. */
export const removeSourceRunAll = () => call(schedules.removeSourceRunAll, { signal: limited() })

/** All presets by name. */
export const presetsQuery = queryOptions({
  queryKey: [syncPresets.list.path] as const,
  queryFn: ({ signal }) => call(syncPresets.list, { signal }),
  meta: { failure: syncTaskMessages.fetch_sync_presets_failed },
})

/** The installation's own Google account; the same key as the dialog of a task has. */
export const serviceAccountQuery = queryOptions({
  queryKey: [serviceAccount.read.path] as const,
  queryFn: ({ signal }) => call(serviceAccount.read, { signal }),
  meta: { failure: taskMessages.load_service_account_failed },
})
