import type * as z from 'zod/mini'
import { cliMessages as messages } from '../../contract/cli/client-messages.ts'
import { AllLimits, effectiveLimits, type RunLimits, runLimits } from '../../contract/run-limits/calls.ts'
import { limitMessages } from '../../contract/run-limits/client-messages.ts'
import { syncTasks } from '../../contract/sync-tasks/calls.ts'
import { type Command, type Context, EXIT, textOf, UsageError } from '../command.ts'
import { syncTaskId } from '../tasks.ts'
import { table, visible } from '../text.ts'

/** Word that makes a limit that of the installation again. */
const DEFAULT = 'default'

const numbers = {
  'removed-rows': { name: 'removed_percent', value: 'PERCENT', summary: 'Rows that a run may remove' },
  'emptied-cells': {
    name: 'emptied_percent',
    value: 'PERCENT',
    summary: 'Filled cells of a column that it may empty',
  },
  'from-rows': { name: 'from_rows', value: 'N', summary: 'Smaller tables and columns have no such limit' },
  'changed-cells': {
    name: 'changed_cells',
    value: 'N',
    summary: 'Cells of rows that stay that it may change',
  },
} as const

const lists = {
  'required-column': { name: 'required_columns', summary: 'Column that must exist' },
  'filled-column': { name: 'filled_columns', summary: 'Column that must not be blank' },
} as const

const UNIQUE = 'unique-column'

/** Shows the limits of a sync task and changes those that are given; `--json` prints its own ones and those in force. */
export const limits: Command = {
  summary: 'Show or change the limits beyond which a run of a sync task writes nothing',
  args: ['TASK'],
  flags: {
    ...Object.fromEntries(
      Object.entries(numbers).map(([flag, { value, summary }]) => [
        flag,
        { type: 'string' as const, value: `${value}|${DEFAULT}`, summary },
      ]),
    ),
    ...Object.fromEntries(
      Object.entries(lists).map(([flag, { summary }]) => [
        flag,
        {
          type: 'string' as const,
          value: 'NAME',
          multiple: true as const,
          summary: `${summary}; repeat it for several, '' for none`,
        },
      ]),
    ),
    [UNIQUE]: { type: 'string', value: 'NAME', summary: "Column that must have no value twice; '' for none" },
  },
  run: async ({ client, args, flags, print, printJson }) => {
    const changes = changesOf(flags)
    const id = await syncTaskId(client, args[0])
    const params = { id }
    const task =
      Object.keys(changes).length > 0
        ? await client.call(syncTasks.update, { params, body: { limits: changes } })
        : await client.call(syncTasks.get, { params })
    const effective = effectiveLimits(task.limits, await client.call(runLimits.defaults, {}))
    print(messages.limits_of(visible(task.name)))
    for (const line of table(['LIMIT', 'VALUE', ''], rowsOf(task.limits, effective))) print(line)
    printJson({ task_id: id, task_name: task.name, limits: task.limits, effective })
    return EXIT.ok
  },
}

function changesOf(flags: Context['flags']): RunLimits {
  const changes: RunLimits = {}
  for (const [flag, { name, value }] of Object.entries(numbers)) {
    const text = textOf(flags[flag])
    if (text === undefined) continue
    const number = value === 'PERCENT' ? text.replace(/%$/, '').trim() : text
    const parsed = AllLimits.shape[name].safeParse(text === DEFAULT ? null : Number(number || Number.NaN))
    if (!parsed.success) throw new UsageError(messages.no_limit_value(flag, text, reasonOf(parsed.error)))
    changes[name] = parsed.data
  }
  for (const [flag, { name }] of Object.entries(lists)) {
    const given = flags[flag]
    if (given === undefined) continue
    const columns = [given].flat().filter((column) => column !== '')
    const parsed = AllLimits.shape[name].safeParse(columns)
    if (!parsed.success)
      throw new UsageError(messages.no_column_value(flag, columns.join(', '), reasonOf(parsed.error)))
    changes[name] = parsed.data
  }
  const unique = textOf(flags[UNIQUE])
  if (unique !== undefined) {
    const parsed = AllLimits.shape.unique_column.safeParse(unique === '' ? null : unique)
    if (!parsed.success)
      throw new UsageError(messages.no_column_value(UNIQUE, unique, reasonOf(parsed.error)))
    changes.unique_column = parsed.data
  }
  return changes
}

const reasonOf = ({ issues: [issue] }: z.core.$ZodError): string => issue?.message ?? ''

const named = [...Object.values(numbers), ...Object.values(lists), { name: 'unique_column' as const }]

const rowsOf = (own: RunLimits, effective: AllLimits): string[][] =>
  named.map(({ name }) => [
    limitMessages.labels[name],
    valueText(effective[name]),
    valueText(own[name] ?? null) === limitMessages.no_limit ? messages.of_settings : messages.own,
  ])

const valueText = (value: AllLimits[keyof AllLimits]): string =>
  value === null || String(value) === '' ? limitMessages.no_limit : [value].flat().join(', ')
