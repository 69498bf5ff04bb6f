import { cliMessages as messages } from '../../contract/cli/client-messages.ts'
import { compilerCompleteness } from '../../contract/completeness/calls.ts'
import { completenessMessages } from '../../contract/completeness/client-messages.ts'
import { type Command, EXIT } from '../command.ts'
import { findConfig } from '../tasks.ts'
import { table } from '../text.ts'

/** How many records are complete for each target; `--json` prints the whole reply, with the last compiles. */
export const completeness: Command = {
  summary: 'Show how many compiled records are complete for each target, and what the others lack',
  args: [],
  flags: { config: { type: 'string', value: 'CONFIG', summary: 'Of one configuration' } },
  run: async ({ client, flags, print, printJson }) => {
    const config = typeof flags.config === 'string' ? await findConfig(client, flags.config) : null
    const query = config === null ? {} : { compiler_config_id: String(config.config_id) }
    const targets = await client.call(compilerCompleteness.completeness, { query })
    if (targets.length === 0) print(messages.no_completeness)
    else
      for (const line of table(
        ['TARGET', 'CONFIGURATION', 'COMPLETE', 'MISSING'],
        targets.map(({ name, config_name, missing, ...counts }) => [
          name,
          config_name,
          completenessMessages.percent(counts),
          missing.map(({ field, records }) => `${field} ${records}`).join(', '),
        ]),
      ))
        print(line)
    printJson(targets)
    return EXIT.ok
  },
}
