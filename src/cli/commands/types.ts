import { cliMessages as messages } from '../../contract/cli/client-messages.ts'
import { unifiedTaskTypes } from '../../contract/task-types/calls.ts'
import { TaskCategory } from '../../contract/tasks/schemas.ts'
import { type Command, EXIT } from '../command.ts'
import { table } from '../text.ts'

export const types: Command = {
  summary: 'List task types with their schedules and limits',
  args: [],
  flags: {
    category: { type: 'string', summary: 'Only types of this category', choices: TaskCategory.options },
  },
  run: async ({ client, flags, print, printJson }) => {
    const category = TaskCategory.safeParse(flags.category).data
    const listed = await client.call(unifiedTaskTypes.list, { query: category ? { category } : {} })
    printJson(listed)
    const rows = listed.map((type) => [
      String(type.id),
      type.task_category,
      type.name,
      String(type.tasks_count),
      String(type.allowed_concurrent_tasks),
      type.cron_schedule ?? '',
      type.depends_on_name ?? '',
    ])
    const titles = ['ID', 'CATEGORY', 'NAME', 'TASKS', 'AT ONCE', 'SCHEDULE', 'AFTER']
    if (rows.length === 0) print(messages.no_types)
    else for (const line of table(titles, rows)) print(line)
    return EXIT.ok
  },
}
