import { queryOptions } from '@tanstack/react-query'
import { limits } from '../../../contract/limits.ts'
import { messages } from '../../../contract/messages.ts'
import { schedules } from '../../../contract/schedules.ts'
import { syncPresets } from '../../../contract/sync-presets.ts'
import { call } from '../../lib/call.ts'
import { withTimeLimit } from '../../lib/time-limit.ts'

const limited = (signal?: AbortSignal) => withTimeLimit(limits.schedule_timeout_ms, signal)

/** The times at which all sync tasks run. */
export const syncRunAll = {
  query: queryOptions({
    queryKey: [schedules.syncRunAll.path] as const,
    queryFn: ({ signal }) => call(schedules.syncRunAll, { signal }),
    meta: { failure: messages.load_schedule_failed },
  }),
  save: (scheduled_times: string[]) => call(schedules.saveSyncRunAll, { body: { scheduled_times } }),
  load_failed: messages.load_schedule_failed,
  saved: messages.schedule_saved,
  save_failed: messages.save_schedule_failed,
}

/** The times at which all source tasks run. */
export const sourceRunAll = {
  query: queryOptions({
    queryKey: [schedules.sourceRunAll.path] as const,
    queryFn: ({ signal }) => call(schedules.sourceRunAll, { signal: limited(signal) }),
    meta: { failure: messages.load_source_schedule_failed },
  }),
  save: (scheduled_times: string[]) =>
    call(schedules.saveSourceRunAll, { body: { scheduled_times }, signal: limited() }),
  load_failed: messages.load_source_schedule_failed,
  saved: messages.source_schedule_saved,
  save_failed: messages.save_source_schedule_failed,
}

/** Either of them. */
export type RunAll = typeof syncRunAll | typeof sourceRunAll

/** Removes all times at which all source tasks run. */
export const removeSourceRunAll = () => call(schedules.removeSourceRunAll, { signal: limited() })

/** All presets by name. */
export const presetsQuery = queryOptions({
  queryKey: [syncPresets.list.path] as const,
  queryFn: ({ signal }) => call(syncPresets.list, { signal }),
  meta: { failure: messages.fetch_sync_presets_failed },
})
