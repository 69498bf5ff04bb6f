import { cliMessages as messages } from '../../contract/cli/client-messages.ts'
import { DelimiterSetting, EncodingSetting } from '../../contract/connections/file-formats.ts'
import { QuoteSetting } from '../../contract/files/csv-settings.ts'
import { writeSettings } from '../../contract/rows/write-settings.ts'
import { sourceTasks } from '../../contract/source-tasks/calls.ts'
import { syncTasks } from '../../contract/sync-tasks/calls.ts'
import type { Client } from '../client.ts'
import { type Command, type Context, EXIT, textOf, UsageError } from '../command.ts'
import { findTask } from '../tasks.ts'
import { table, visible } from '../text.ts'

/** Words for a setting that the file decides: when it is read, and when it is written. */
const DETECT = 'detect'
const KEEP = 'keep'

/** Words for characters that mean something to a shell. */
const WORDS = {
  ',': 'comma',
  ';': 'semicolon',
  '\t': 'tab',
  '|': 'bar',
  '"': 'double',
  "'": 'single',
} as const

const words = (values: readonly string[]) => values.filter((value) => value !== 'auto').map(wordOfValue)
const delimiters = words(DelimiterSetting.options)
const encodings = words(EncodingSetting.options)
const quotes = words(QuoteSetting.options)
const marks = writeSettings.target_csv_encoding.def.innerType.options

/** Flags, what they set in a source task and in a sync task, and their values. */
const settings = {
  delimiter: { source: 'csv_delimiter', sync: 'source_csv_delimiter', choices: [...delimiters, DETECT] },
  encoding: { source: 'csv_encoding', sync: 'source_csv_encoding', choices: [...encodings, DETECT] },
  quote: { source: 'csv_quote', sync: 'source_csv_quote', choices: [...quotes, DETECT] },
  'target-delimiter': { source: null, sync: 'target_csv_delimiter', choices: [...delimiters, KEEP] },
  'target-encoding': { source: null, sync: 'target_csv_encoding', choices: [...marks, KEEP] },
} as const

type Flag = keyof typeof settings

const FLAGS = Object.keys(settings) as Flag[]

/** Shows how the CSV files of a task are read and written, and changes what is given. */
export const csv: Command = {
  summary: 'Show or change how the CSV files of a task are read and written',
  args: ['TASK'],
  flags: Object.fromEntries(
    FLAGS.map((flag) => [
      flag,
      { type: 'string' as const, summary: messages.csv_labels[flag], choices: settings[flag].choices },
    ]),
  ),
  run: async ({ client, args: [text = ''], flags, print, printJson }) => {
    const { id, category, name } = await findTask(client, text)
    if (category === 'compiler') throw new UsageError(messages.csv_of_task(visible(name)))
    const changes = changesOf(flags, category)
    const task: Record<string, unknown> = await send(client, category, id, changes)
    const found = FLAGS.flatMap((flag) => {
      const field = settings[flag][category]
      return field === null ? [] : [{ flag, field, value: task[field] ?? null }]
    })
    for (const line of table(
      ['SETTING', 'VALUE'],
      found.map(({ flag, value }) => [messages.csv_labels[flag], wordOf(flag, value)]),
    ))
      print(line)
    printJson({
      task_id: id,
      task_name: name,
      ...Object.fromEntries(found.map(({ field, value }) => [field, value])),
    })
    return EXIT.ok
  },
}

function send(
  client: Client,
  category: 'source' | 'sync',
  id: number,
  changes: Record<string, string | null>,
) {
  const params = { id }
  const isChange = Object.keys(changes).length > 0
  if (category === 'source')
    return isChange
      ? client.call(sourceTasks.update, { params, body: changes })
      : client.call(sourceTasks.get, { params })
  return isChange
    ? client.call(syncTasks.update, { params, body: changes })
    : client.call(syncTasks.get, { params })
}

function changesOf(flags: Context['flags'], category: 'source' | 'sync'): Record<string, string | null> {
  const changes: Record<string, string | null> = {}
  for (const flag of FLAGS) {
    const word = textOf(flags[flag])
    if (word === undefined) continue
    const field = settings[flag][category]
    if (field === null) throw new UsageError(messages.csv_target_of_sync(flag))
    const isOfFile = word === DETECT || word === KEEP
    changes[field] = isOfFile ? (category === 'source' ? 'auto' : null) : valueOfWord(word)
  }
  return changes
}

/** A value as it is given on the command line. */
const wordOf = (flag: Flag, value: unknown): string =>
  value === null || value === 'auto'
    ? flag.startsWith('target-')
      ? KEEP
      : DETECT
    : wordOfValue(String(value))

function wordOfValue(value: string): string {
  const found = Object.entries(WORDS).find(([one]) => one === value)
  return found ? found[1] : value
}

const valueOfWord = (word: string): string =>
  Object.entries(WORDS).find(([, one]) => one === word)?.[0] ?? word
