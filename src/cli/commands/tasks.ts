import { cliMessages as messages } from '../../contract/cli/client-messages.ts'
import { TaskCategory } from '../../contract/tasks/schemas.ts'
import { type Command, EXIT, textOf } from '../command.ts'
import { listTasks } from '../tasks.ts'
import { table } from '../text.ts'

/** Lists tasks. */
export const tasks: Command = {
  summary: 'List tasks with their status',
  args: [],
  flags: {
    category: { type: 'string', summary: 'Only tasks of this category', choices: TaskCategory.options },
  },
  run: async ({ client, flags, say, tell }) => {
    const listed = await listTasks(client, textOf(flags.category))
    tell(listed)
    const rows = listed.map(({ id, category, name, type, status, is_active }) => [
      String(id),
      category,
      name,
      type ?? '',
      is_active ? status : `${status}, inactive`,
    ])
    if (rows.length === 0) say(messages.no_tasks)
    else for (const line of table(['ID', 'CATEGORY', 'NAME', 'TYPE', 'STATUS'], rows)) say(line)
    return EXIT.ok
  },
}
