import { setTimeout as pause } from 'node:timers/promises'
import { compilerRuns } from '../../contract/compiler/runs.ts'
import { limits } from '../../contract/limits.ts'
import { sourceTasks } from '../../contract/source-tasks/calls.ts'
import { syncTasks } from '../../contract/sync-tasks/calls.ts'
import type { LogEntry } from '../../contract/tasks/schemas.ts'
import type { Client } from '../client.ts'
import { type Command, type Context, EXIT, numberOf } from '../command.ts'
import { retryWhileUnavailable } from '../retry-while-unavailable.ts'
import { findTask, type ListedTask } from '../tasks.ts'
import { localTime, visible } from '../text.ts'

const POLL_MS = 1_000
const LINES_DEFAULT = 50

/** Shows the log of a task, oldest line first; `--json` prints one JSON object per line. */
export const logs: Command = {
  summary: 'Show the log of a task',
  args: ['TASK'],
  flags: {
    follow: { type: 'boolean', summary: 'Go on with new lines until Ctrl-C' },
    lines: {
      type: 'string',
      value: 'N',
      summary: `How many of the newest lines, default ${LINES_DEFAULT}`,
    },
  },
  run: async (context) => {
    const { client, args, flags, signal } = context
    const lines = numberOf('lines', flags.lines) ?? LINES_DEFAULT
    const task = await findTask(client, args[0] ?? '')
    let last = show(context, await read(client, task, Math.min(lines, limits.logs_max)), 0)
    try {
      while (flags.follow) {
        await pause(POLL_MS, undefined, { signal })
        last = show(
          context,
          await retryWhileUnavailable(context, () => read(client, task, limits.logs_max)),
          last,
        )
      }
    } catch (error) {
      // Following ends only with an interrupt.
      if (!signal.aborted) throw error
    }
    return EXIT.ok
  },
}

/** Prints the entries after id `last`, oldest first, and returns the newest id. */
function show({ print, printJson, zone }: Context, entries: readonly LogEntry[], last: number): number {
  const fresh = entries.filter(({ id }) => id > last).toReversed()
  for (const entry of fresh) {
    print(`${localTime(entry.timestamp, zone)}  ${entry.level.padEnd(7)}  ${visible(entry.message)}`)
    printJson(entry)
  }
  return fresh.at(-1)?.id ?? last
}

function read(client: Client, { id, category, config_id }: ListedTask, limit: number): Promise<LogEntry[]> {
  const query = { limit: String(limit) }
  if (config_id !== null) return client.call(compilerRuns.logs, { params: { id: config_id }, query })
  return client.call(category === 'sync' ? syncTasks.logs : sourceTasks.logs, { params: { id }, query })
}
