import { cliMessages } from '../../contract/cli/client-messages.ts'
import { type ColumnChange, sourceColumns } from '../../contract/remembered-columns/calls.ts'
import { columnMessages as messages } from '../../contract/remembered-columns/client-messages.ts'
import { type Command, EXIT, UsageError } from '../command.ts'
import { findOne, listTasks } from '../tasks.ts'
import { table, visible } from '../text.ts'

/** Shows the columns of a source task: those that differ in waiting rows, side by side, and those with another name. */
export const columns: Command = {
  summary: 'Show the columns of a source task, and those that differ in rows that need approval',
  args: ['TASK'],
  run: async ({ client, args: [text = ''], print, printJson }) => {
    if (text === '') throw new UsageError(cliMessages.wanted('TASK'))
    const tasks = await listTasks(client, 'source')
    const { id } = findOne(tasks, text, (task) => task.id, cliMessages.no_such_task(text))
    const reply = await client.call(sourceColumns.columns, { params: { id } })
    printJson(reply)
    const { changes, names } = reply
    const rows = changes.map(({ kind, before, now, looks_like }) => [
      messages.kinds[kind],
      seen(before),
      seen(now),
      looks_like === null ? '' : messages.looks_like(looks_like),
    ])
    if (rows.length > 0)
      for (const line of table(['CHANGE', 'CURRENT ROWS', 'NEW ROWS', ''], rows)) print(line)
    else for (const line of table(['COLUMN', 'VALUES'], reply.columns.map(valuesOf))) print(line)
    for (const { column, read_as } of names) print(visible(messages.read_as(column, read_as)))
    return EXIT.ok
  },
}

const valuesOf = ({ name, values }: NonNullable<ColumnChange['now']>) => [name, values.join(', ')]

const seen = (column: ColumnChange['before']) =>
  column === null ? messages.absent : `${column.name}: ${column.values.join(', ') || messages.no_values}`
