import { expect, test } from 'vitest'
import { DEFAULT_LOG_FILE } from './dev-logs/calls.ts'
import { limits } from './limits.ts'
import { schedules } from './schedules/calls.ts'
import { syncTasks } from './sync-tasks/calls.ts'

// Section 9 of the specification: its sentence, our value, its value.
test.each<[sentence: string, ours: unknown, theirs: unknown]>([
  ['auth cache lifetime 30000 ms', limits.auth_cache_ms, 30_000],
  ['sync task page size 400 per request', limits.tasks_page_size, 400],
  ['… which is what the list call returns by default', syncTasks.list.query.parse({}).limit, 400],
  ['status polling every 12 s', limits.status_poll_ms, 12_000],
  ['full refresh at most every 60 s while polling', limits.full_refresh_ms, 60_000],
  ['default chunk size 1000', limits.chunk_size_default, 1000],
  ['the add form resets to 2000 after a save', limits.chunk_size_after_save, 2000],
  ['start row default 1', limits.start_row_default, 1],
  ['default scheduled times "04:00, 23:00"', limits.scheduled_times_default, ['04:00', '23:00']],
  ['data copy page size 500 rows', limits.data_page_size, 500],
  ['… and no page is larger', syncTasks.dataCopy.query.safeParse({ limit: '501' }).success, false],
  ['scroll threshold 100 px', limits.data_scroll_threshold_px, 100],
  ['toggle-active lock released after 500 ms', limits.toggle_lock_ms, 500],
  ['refresh after stop 1000 ms', limits.refresh_after_stop_ms, 1000],
  ['toast display time from 3 s', limits.toast_ms, 3000],
  ['… to 16 s, which is that of import and export', limits.csv_toast_ms, 16_000],
  ['status summary: first 3 statuses', limits.status_summary_shown, 3],
  ['… "..." when more than 5', limits.status_summary_more, 5],
  ['check_interval default 60', schedules.start.body.parse({}), { check_interval: 60 }],
  ['next_scheduled limit default 20', schedules.nextScheduled.query.parse({}).limit, 20],
  ['trigger label "Manual API"', schedules.triggerAll.body.parse({}), { trigger: 'Manual API' }],
  ['source-schedule helper timeout 45 s', limits.schedule_timeout_ms, 45_000],
  ['sync task types: API timeout 45 s', limits.types_timeout_ms, 45_000],
  ['sync task types: export timeout 30 s', limits.types_export_timeout_ms, 30_000],
  ['drag animation 200 ms', limits.drag_animation_ms, 200],
  ['new source task type: cron', limits.source_type_cron_default, '0 2 * * *'],
  ['max dependencies 10', limits.dependencies_max, 10],
  ['form max concurrent 1 to 100', limits.form_concurrent_max, 100],
  ['form retries 0 to 10', limits.form_retries_max, 10],
  ['retry delay at most a day', limits.retry_delay_seconds_max, 86_400],
  ['timeout input 1 to 1440 min', limits.timeout_minutes_max, 1440],
  ['the default developer log file is a fixed identifier', DEFAULT_LOG_FILE, 'api'],
])('%s', (_, ours, theirs) => {
  expect(ours).toEqual(theirs)
})
