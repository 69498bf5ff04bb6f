import { schedules } from '../../../contract/schedules/calls.ts'
import type { RunHandler } from '../../engine/types.ts'
import type { Actor } from '../../platform/audit.ts'
import type { Db } from '../../platform/db.ts'
import type { Feature } from '../../platform/http/feature.ts'
import { type RunRequest, startAll, startGroup } from '../../tasks/run/run-commands.ts'
import { runTask } from '../../tasks/run/wait-for-run.ts'
import { saveRunAll } from './commands/run-all.ts'
import { recordDueNow, startSourceSchedule, stopSourceSchedule } from './commands/switch.ts'
import { readCalendar } from './queries/calendar.ts'
import { validateCron } from './queries/cron.ts'
import { readNextScheduled } from './queries/next-scheduled.ts'
import type { QuotaLimits } from './queries/quota-load.ts'
import { readRunAll } from './queries/run-all.ts'
import { listScheduledTasks } from './queries/scheduled-tasks.ts'
import { readQueueStatus, readSourceStatus, readTaskStatus } from './queries/source-status.ts'

type Deps = {
  db: Db
  handlers: readonly RunHandler[]
  zone: string
  now: () => Date
  quota: { limits: QuotaLimits }
}

const by = (actor: Actor, { trigger }: { trigger: string }): RunRequest => ({
  category: 'source',
  actor,
  trigger,
})

/** Schedules, and status of the source task schedule. */
export const schedulesFeature: Feature<typeof schedules, Deps> = {
  calls: schedules,
  handlers: {
    scheduledTasks: (_, { db, zone }) => listScheduledTasks(db, zone),
    calendar: ({ query }, { db, zone, quota }) => readCalendar(db, { zone, quota }, query),
    syncRunAll: (_, { db }) => readRunAll(db, 'sync'),
    saveSyncRunAll: ({ body, user }, { db, zone }) => saveRunAll(db, zone, user, 'sync', body),
    sourceRunAll: (_, { db }) => readRunAll(db, 'source'),
    saveSourceRunAll: ({ body, user }, { db, zone }) => saveRunAll(db, zone, user, 'source', body),
    removeSourceRunAll: async ({ user }, { db, zone }) => {
      await saveRunAll(db, zone, user, 'source', { scheduled_times: [] })
    },
    sourceStatus: (_, { db }) => readSourceStatus(db),
    start: ({ body, user }, { db, zone }) => startSourceSchedule(db, zone, user, body.check_interval),
    stop: ({ user }, { db, zone }) => stopSourceSchedule(db, zone, user),
    nextScheduled: async ({ query }, { db, zone }) => ({
      next_scheduled_tasks: await readNextScheduled(db, { ...query, zone }),
    }),
    triggerAll: ({ body, user }, { db, handlers }) => startAll(db, handlers, by(user, body)),
    triggerTask: ({ params, query, body, user, signal }, deps) =>
      runTask(deps, by(user, body), params.id, { seconds: query.wait, signal }),
    triggerType: ({ params, body, user }, { db, handlers }) =>
      startGroup(db, handlers, by(user, body), params.id),
    updateNextRunTimes: ({ user }, { db, zone }) => recordDueNow(db, zone, user),
    taskStatus: ({ params }, { db, zone }) => readTaskStatus(db, params.id, zone),
    queueStatus: (_, { db }) => readQueueStatus(db),
    validateCron: ({ body }, { db, zone, now }) => validateCron(db, body, { zone, now: now() }),
  },
}
