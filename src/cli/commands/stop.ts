import { compilerRuns } from '../../contract/compiler/runs.ts'
import { sourceTasks } from '../../contract/source-tasks/calls.ts'
import { syncTasks } from '../../contract/sync-tasks/calls.ts'
import type { Client } from '../client.ts'
import { type Command, EXIT } from '../command.ts'
import { findTask, type ListedTask } from '../tasks.ts'

export const stop: Command = {
  summary: 'Stop a task, whatever state it is in',
  args: ['TASK'],
  run: async ({ client, args, print, printJson }) => {
    const reply = await stopOne(client, await findTask(client, args[0] ?? ''))
    print(reply.message)
    printJson(reply)
    return EXIT.ok
  },
}

function stopOne(client: Client, { id, category, config_id }: ListedTask) {
  if (config_id !== null) return client.call(compilerRuns.stop, { params: { id: config_id } })
  return client.call(category === 'sync' ? syncTasks.stop : sourceTasks.stop, { params: { id } })
}
