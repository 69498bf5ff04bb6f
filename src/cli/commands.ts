import type { Command } from './command.ts'
import { approvals, approve, reject } from './commands/approvals.ts'
import { columns } from './commands/columns.ts'
import { compile } from './commands/compile.ts'
import { completeness } from './commands/completeness.ts'
import { completionOf } from './commands/completion.ts'
import { csv } from './commands/csv.ts'
import { decisions } from './commands/decisions.ts'
import { exportFile } from './commands/export.ts'
import { favourites } from './commands/favourites.ts'
import { importFile } from './commands/import.ts'
import { limits } from './commands/limits.ts'
import { login, logout } from './commands/login.ts'
import { logs } from './commands/logs.ts'
import { mcp } from './commands/mcp.ts'
import { plan } from './commands/plan.ts'
import { preview } from './commands/preview.ts'
import { ready } from './commands/ready.ts'
import { run } from './commands/run.ts'
import { status } from './commands/status.ts'
import { stop } from './commands/stop.ts'
import { taskFiles } from './commands/task-files.ts'
import { tasks } from './commands/tasks.ts'
import { types } from './commands/types.ts'
import { upload } from './commands/upload.ts'
import { restore, undo, versions } from './commands/versions.ts'
import { views } from './commands/views.ts'
import { where } from './commands/where.ts'

const withServer: Record<string, Command> = {
  login,
  logout,
  status,
  tasks,
  types,
  preview,
  plan,
  versions,
  undo,
  restore,
  limits,
  run,
  compile,
  stop,
  logs,
  ready,
  favourites,
  views,
  where,
  decisions,
  completeness,
  columns,
  approvals,
  approve,
  reject,
  export: exportFile,
  import: importFile,
  upload,
  files: taskFiles,
  csv,
  mcp,
}

/** All commands by name, in the order of the help. */
export const commands: Record<string, Command> = {
  ...withServer,
  completion: completionOf(withServer),
}
