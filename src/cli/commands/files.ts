import { sourceTasks } from '../../contract/source-tasks/calls.ts'
import { syncTasks } from '../../contract/sync-tasks/calls.ts'
import { sourceTaskTypeFiles, syncTaskTypeFiles } from '../../contract/task-types/files.ts'

/** What comes and goes as a CSV file, by its name on the command line. */
export const files = {
  'sync-tasks': syncTasks,
  'source-tasks': sourceTasks,
  'sync-types': syncTaskTypeFiles,
  'source-types': sourceTaskTypeFiles,
} as const

export const KINDS = Object.keys(files)

/** What of `files` a person named; the command line was checked before. */
export const isKind = (text: string | undefined): text is keyof typeof files =>
  text !== undefined && text in files
