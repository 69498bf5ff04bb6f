import type { Tool } from './tool.ts'
import { explainFailure } from './tools/explain-failure.ts'
import { cellLineage } from './tools/lineage.ts'
import { listTasks } from './tools/list-tasks.ts'
import { getPlan, previewTask } from './tools/plans.ts'
import { quality } from './tools/quality.ts'
import { runTask, stopTask } from './tools/run-and-stop.ts'
import { getRun, listRuns, runLogs } from './tools/runs.ts'
import { sourceFile } from './tools/source-file.ts'
import { status } from './tools/status.ts'

/** All tools, as tools/list names them. None edits or deletes. */
export const tools: readonly Tool[] = [
  status,
  explainFailure,
  listTasks,
  listRuns,
  getRun,
  runLogs,
  quality,
  cellLineage,
  sourceFile,
  getPlan,
  previewTask,
  runTask,
  stopTask,
]
