import { setTimeout as pause } from 'node:timers/promises'
import { compilerRuns } from '../../contract/compiler-runs.ts'
import { limits } from '../../contract/limits.ts'
import { sourceTasks } from '../../contract/source-tasks.ts'
import { syncTasks } from '../../contract/sync-tasks.ts'
import type { LogEntry } from '../../contract/tasks.ts'
import type { Client } from '../client.ts'
import { type Command, EXIT, numberOf } from '../command.ts'
import { findTask, type ListedTask } from '../tasks.ts'
import { visible } from '../text.ts'

const LOOK_MS = 1_000
const LINES_DEFAULT = 50

/** Shows the log of a task, oldest line first; `--json` prints one JSON object a line. */
export const logs: Command = {
  summary: 'Show the log of a task',
  args: ['TASK'],
  flags: {
    follow: { type: 'boolean', summary: 'Go on with new lines until Ctrl-C' },
    lines: {
      type: 'string',
      value: 'N',
      summary: `So many of the newest lines, ${LINES_DEFAULT} unless told`,
    },
  },
  run: async ({ client, args, flags, say, tell, signal }) => {
    const lines = numberOf('lines', flags.lines) ?? LINES_DEFAULT
    const task = await findTask(client, args[0] ?? '')
    let last = 0
    for (let limit = Math.min(lines, limits.logs_max); ; limit = limits.logs_max) {
      const entries = await read(client, task, limit)
      for (const entry of entries.filter(({ id }) => id > last).toReversed()) {
        say(`${entry.formatted_timestamp}  ${entry.level.padEnd(7)}  ${visible(entry.message)}`)
        tell(entry)
        last = entry.id
      }
      if (!flags.follow) return EXIT.ok
      await pause(LOOK_MS, undefined, { signal }).catch(() => undefined)
      if (signal.aborted) return EXIT.ok
    }
  },
}

function read(client: Client, { id, category, config_id }: ListedTask, limit: number): Promise<LogEntry[]> {
  const query = { limit: String(limit) }
  if (config_id !== null) return client.call(compilerRuns.logs, { params: { id: config_id }, query })
  return client.call(category === 'sync' ? syncTasks.logs : sourceTasks.logs, { params: { id }, query })
}
