import { queryOptions } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { limits } from '../../../contract/limits.ts'
import { runLimits } from '../../../contract/run-limits/calls.ts'
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

/** A run-all schedule: its query, its save call and its messages. */
export type RunAll = {
  query: ReturnType<typeof timesQuery>
  /** `updated_at` is that of the edited version; if there is a newer one, the server rejects the save. */
  save: (times: Pick<RunAllSchedule, 'scheduled_times' | 'updated_at'>) => Promise<RunAllSchedule>
  pause: (is_paused: boolean) => Promise<RunAllSchedule>
  load_failed: string
  saved: string
  save_failed: string
}

/** Times at which all sync tasks run. */
export const syncRunAll: RunAll = {
  query: timesQuery(schedules.syncRunAll.path, scheduleMessages.load_schedule_failed, (signal) =>
    call(schedules.syncRunAll, { signal }),
  ),
  save: (body) => call(schedules.saveSyncRunAll, { body }),
  pause: (is_paused) => call(schedules.saveSyncRunAll, { body: { is_paused } }),
  load_failed: scheduleMessages.load_schedule_failed,
  saved: scheduleMessages.schedule_saved,
  save_failed: scheduleMessages.save_schedule_failed,
}

/** Times at which all source tasks run. */
export const sourceRunAll: RunAll = {
  query: timesQuery(schedules.sourceRunAll.path, scheduleMessages.load_source_schedule_failed, (signal) =>
    call(schedules.sourceRunAll, { signal: limited(signal) }),
  ),
  save: (body) => call(schedules.saveSourceRunAll, { body, signal: limited() }),
  pause: (is_paused) => call(schedules.saveSourceRunAll, { body: { is_paused }, signal: limited() }),
  load_failed: scheduleMessages.load_source_schedule_failed,
  saved: scheduleMessages.source_schedule_saved,
  save_failed: scheduleMessages.save_source_schedule_failed,
}

/** Removes all times at which source tasks run. */
export const removeSourceRunAll = () => call(schedules.removeSourceRunAll, { signal: limited() })

/** All presets by name. */
export const presetsQuery = queryOptions({
  queryKey: [syncPresets.list.path] as const,
  queryFn: ({ signal }) => call(syncPresets.list, { signal }),
  meta: { failure: syncTaskMessages.fetch_sync_presets_failed },
})

/** Limits of sync tasks that do not set their own; shares its key with the task dialog. */
export const limitDefaultsQuery = queryOptions({
  queryKey: [runLimits.defaults.path] as const,
  queryFn: ({ signal }) => call(runLimits.defaults, { signal }),
  meta: {},
})
export type SavedLimits = z.output<typeof runLimits.defaults.reply>

export const saveLimitDefaults = (body: z.input<typeof runLimits.saveDefaults.body>) =>
  call(runLimits.saveDefaults, { body })

/** The Google service account of the installation; shares its key with the task dialog. */
export const serviceAccountQuery = queryOptions({
  queryKey: [serviceAccount.read.path] as const,
  queryFn: ({ signal }) => call(serviceAccount.read, { signal }),
  meta: { failure: taskMessages.load_service_account_failed },
})
