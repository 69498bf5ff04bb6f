import { compilerFiles } from '../../contract/config-files/calls.ts'
import { sourceTasks } from '../../contract/source-tasks/calls.ts'
import { syncTasks } from '../../contract/sync-tasks/calls.ts'
import { sourceTaskTypeFiles, syncTaskTypeFiles } from '../../contract/task-types/files.ts'

/** Importable and exportable CSV files by their name on the command line. */
export const files = {
  'sync-tasks': syncTasks,
  'source-tasks': sourceTasks,
  'sync-types': syncTaskTypeFiles,
  'source-types': sourceTaskTypeFiles,
  configurations: { importCsv: compilerFiles.importConfigs, exportCsv: compilerFiles.exportConfigs },
} as const

export const KINDS = Object.keys(files)

/** Narrows an argument to a key of `files`; the command line was validated before. */
export const isKind = (text: string | undefined): text is keyof typeof files =>
  text !== undefined && text in files
