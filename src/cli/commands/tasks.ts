import { cliMessages as messages } from '../../contract/cli/client-messages.ts'
import { TaskCategory } from '../../contract/tasks/schemas.ts'
import { type Command, type Context, EXIT, textOf } from '../command.ts'
import { type ListedTask, listTasks } from '../tasks.ts'
import { table } from '../text.ts'

export const tasks: Command = {
  summary: 'List tasks with their status',
  args: [],
  flags: {
    category: { type: 'string', summary: 'Only tasks of this category', choices: TaskCategory.options },
  },
  run: async (context) =>
    printTasks(context, await listTasks(context.client, textOf(context.flags.category)), messages.no_tasks),
}

/** Prints tasks as a table, or the message `none`. */
export function printTasks(
  { print, printJson }: Pick<Context, 'print' | 'printJson'>,
  listed: readonly ListedTask[],
  none: string,
): number {
  printJson(listed)
  const rows = listed.map(({ id, category, name, type, status, is_active, owner, tags }) => [
    String(id),
    category,
    name,
    type ?? '',
    is_active ? status : `${status}, inactive`,
    owner ?? '',
    tags.join(', '),
  ])
  if (rows.length === 0) print(none)
  else
    for (const line of table(['ID', 'CATEGORY', 'NAME', 'TYPE', 'STATUS', 'OWNER', 'TAGS'], rows)) print(line)
  return EXIT.ok
}
