import { formatted } from '../counted.ts'
import type { ChangeKind } from './calls.ts'

const objects: Record<string, [one: string, many: string]> = {
  sync_task: ['sync task', 'sync tasks'],
  source_task: ['source task', 'source tasks'],
  compiler_task: ['compiler configuration', 'compiler configurations'],
  sync_task_type: ['sync task type', 'sync task types'],
  source_task_type: ['source task type', 'source task types'],
  compiler_task_type: ['compiler type', 'compiler types'],
  allowed_host: ['allowed host', 'allowed hosts'],
  connection: ['connection', 'connections'],
  schedule: ['schedule', 'schedules'],
  service_account: ['service account', 'service accounts'],
  run_limits: ['setting of limits', 'settings of limits'],
  saved_view: ['saved view', 'saved views'],
  sync_preset: ['preset', 'presets'],
  user: ['user', 'users'],
  token: ['token', 'tokens'],
  webhook: ['alarm', 'alarms'],
}

const counted = (count: number, object_type: string) => {
  const [one, many] = objects[object_type] ?? ['other object', 'other objects']
  return `${formatted(count)} ${count === 1 ? one : many}`
}

const tasks = (count: number) => `${formatted(count)} ${count === 1 ? 'task' : 'tasks'}`

/** Texts of what happened since the last visit. */
export const visitMessages = {
  title: 'Since your last visit',
  nothing: 'Nothing has failed, recovered or been changed.',
  fetch_failed: 'Failed to load what happened since your last visit.',
  failed: (count: number) => `${tasks(count)} ${count === 1 ? 'has' : 'have'} failed`,
  recovered: (count: number) => `${tasks(count)} recovered`,
  changed: (kind: ChangeKind, count: number, object_type: string) =>
    kind === 'approved'
      ? `approved rows of ${counted(count, object_type)}`
      : `${kind} ${counted(count, object_type)}`,
  more: (count: number) => `and ${formatted(count)} more`,
} as const
