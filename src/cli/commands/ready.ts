import { cliMessages as messages } from '../../contract/cli/client-messages.ts'
import { TimeOfDay } from '../../contract/fields.ts'
import { type ReadyBy, type ReadyByBody, readyBy } from '../../contract/forecast/calls.ts'
import { readyByMessages } from '../../contract/forecast/client-messages.ts'
import { basisText, forecastText, readyStateOf } from '../../contract/forecast/describe.ts'
import { unifiedTaskTypes } from '../../contract/task-types/calls.ts'
import type { Client } from '../client.ts'
import { type Command, type Context, EXIT, textOf, UsageError } from '../command.ts'
import { findOne, findTask } from '../tasks.ts'
import { localTime, table } from '../text.ts'

/** Times by which tasks have to be ready: lists them with their forecasts, sets and removes them. */
export const ready: Command = {
  summary: 'List by when tasks have to be ready and will be; set or remove such a time',
  args: ['[ACTION]', '[WHAT]', '[TIME]'],
  choices: ['list', 'set', 'remove'],
  flags: {
    kind: {
      type: 'string',
      summary: 'What WHAT names (default: task)',
      choices: ['task', 'type', 'spreadsheet'],
    },
  },
  run: (context) => {
    const [action = 'list', what, time, ...others] = context.args
    const [extra] = action === 'list' ? [what] : action === 'remove' ? [time] : others
    if (extra !== undefined) throw new UsageError(messages.too_many(extra))
    if (action === 'list') return list(context)
    if (what === undefined) throw new UsageError(messages.wanted('WHAT'))
    if (action === 'remove') return save(context, what, null)
    if (time === undefined) throw new UsageError(messages.wanted('TIME'))
    const parsed = TimeOfDay.safeParse(time)
    if (!parsed.success) throw new UsageError(messages.no_time_of_day(time))
    return save(context, what, parsed.data)
  },
}

async function list({ client, zone, print, printJson }: Context): Promise<number> {
  const entries = await client.call(readyBy.list, { query: {} })
  printJson(entries)
  const clock = (iso: string) => localTime(iso, zone).slice(11, 16)
  const rows = entries.map((entry) => [
    readyByMessages.state[readyStateOf(entry)],
    entry.deadline === null ? entry.ready_by : localTime(entry.deadline, zone),
    entry.kind,
    entry.name,
    [forecastText(entry, clock), entry.suggestion, basisText(entry)].filter(Boolean).join(' '),
  ])
  if (rows.length === 0) print(readyByMessages.empty)
  else for (const line of table(['STATE', 'READY BY', 'KIND', 'NAME', 'FORECAST'], rows)) print(line)
  return EXIT.ok
}

async function save({ client, flags, print, printJson }: Context, what: string, time: string | null) {
  const body: ReadyByBody = { ...(await subjectOf(client, textOf(flags.kind), what)), ready_by: time }
  const reply = await client.call(readyBy.save, { body })
  printJson(reply)
  print(reply.message)
  return EXIT.ok
}

type Kind = ReadyBy['kind']

async function subjectOf(client: Client, kind: Kind | string | undefined, what: string) {
  if (kind === 'spreadsheet') return { kind, spreadsheet_id: what } as const
  if (kind !== 'type') return { kind: 'task', id: (await findTask(client, what)).id } as const
  const types = await client.call(unifiedTaskTypes.list, { query: {} })
  const named = types.map(({ id, name, task_category: category }) => ({ id, name, category }))
  const { id } = findOne(named, what, (type) => type.id, messages.no_such_type(what))
  return { kind, id } as const
}
