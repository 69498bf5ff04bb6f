import { cliMessages as messages } from '../../contract/cli/client-messages.ts'
import { compilerDecisions } from '../../contract/decisions/calls.ts'
import { limits } from '../../contract/limits.ts'
import { type Command, type Context, EXIT, textOf } from '../command.ts'
import { findConfig } from '../tasks.ts'
import { table, visible } from '../text.ts'

/** Where the sources of a configuration disagree, or the rules that decide it; `--json` prints the whole reply. */
export const decisions: Command = {
  summary: 'Show where sources of a configuration disagree, and the rules that decide it',
  args: ['CONFIG'],
  flags: {
    rules: { type: 'boolean', summary: 'The rules instead' },
    field: { type: 'string', value: 'NAME', summary: 'Of one field' },
  },
  run: async (context) => {
    const { client, args, flags } = context
    const { config_id, name } = await findConfig(client, args[0] ?? '')
    const wanted = { id: config_id ?? 0, name: visible(name), field: textOf(flags.field) }
    return flags.rules === true ? printRules(context, wanted) : printDisagreements(context, wanted)
  },
}

type Wanted = { id: number; name: string; field: string | undefined }
const limit = String(limits.disagreements_page_max)

async function printDisagreements({ client, print, printJson }: Context, { id, name, field }: Wanted) {
  const reply = await client.call(compilerDecisions.disagreements, {
    params: { id },
    query: { field, limit },
  })
  print(messages.disagreements_of(name, reply.total_count, reply.counts.rules))
  const rows = reply.data.map(({ field, records, options }) => [
    field,
    String(records),
    options.map(({ text, sources }) => `${text} (${sources.map((one) => one.name).join(', ')})`).join(' | '),
  ])
  for (const line of table(['FIELD', 'RECORDS', 'VALUES'], rows)) print(line)
  if (reply.has_next) print(messages.first_shown(reply.data.length))
  printJson(reply)
  return EXIT.ok
}

async function printRules({ client, print, printJson }: Context, { id, name, field }: Wanted) {
  const reply = await client.call(compilerDecisions.decisions, { params: { id }, query: { field, limit } })
  print(messages.rules_of(name, reply.total_count))
  const rows = reply.data.map(({ sentence, records, author }) => [
    sentence,
    records === null ? messages.next_compile : String(records),
    author,
  ])
  for (const line of table(['RULE', 'RECORDS', 'SET BY'], rows)) print(line)
  if (reply.has_next) print(messages.first_shown(reply.data.length))
  printJson(reply)
  return EXIT.ok
}
