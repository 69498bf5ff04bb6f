import type { Command } from './command.ts'
import { compile } from './commands/compile.ts'
import { completionOf } from './commands/completion.ts'
import { exportFile } from './commands/export.ts'
import { importFile } from './commands/import.ts'
import { login, logout } from './commands/login.ts'
import { logs } from './commands/logs.ts'
import { run } from './commands/run.ts'
import { status } from './commands/status.ts'
import { stop } from './commands/stop.ts'
import { tasks } from './commands/tasks.ts'
import { types } from './commands/types.ts'

const withServer: Record<string, Command> = {
  login,
  logout,
  status,
  tasks,
  types,
  run,
  compile,
  stop,
  logs,
  export: exportFile,
  import: importFile,
}

/** All commands by name, as help lists them. */
export const commands: Record<string, Command> = {
  ...withServer,
  completion: completionOf(withServer),
}
