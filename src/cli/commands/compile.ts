import { cliMessages as messages } from '../../contract/cli/client-messages.ts'
import { compiler } from '../../contract/compiler/calls.ts'
import { type Command, type Context, EXIT, numberOf } from '../command.ts'
import { begin, followRun, waitFlags } from '../follow-run.ts'
import { findConfig, type ListedTask } from '../tasks.ts'
import { count } from '../text.ts'

export const compile: Command = {
  summary: 'Compile a configuration: its sources become one record per SKU',
  args: ['CONFIG'],
  flags: {
    ...waitFlags,
    'keep-records': { type: 'boolean', summary: 'Only add records of SKUs that are not there yet' },
  },
  run: async (context) =>
    compileConfig(context, await findConfig(context.client, context.args[0] ?? ''), {
      overwrite: context.flags['keep-records'] !== true,
    }),
}

/** The call itself waits for a short compile; a longer one is followed if --wait is given. */
export async function compileConfig(
  context: Context,
  { config_id, name }: ListedTask,
  { overwrite }: { overwrite: boolean },
): Promise<number> {
  const { client, flags, print, printJson } = context
  const timeout = numberOf('timeout', flags.timeout)
  const body = { config_id: config_id ?? 0, overwrite }
  const reply = await begin(context, () => client.call(compiler.compile, { body }))
  if (flags.wait) return followRun(context, reply.run_id, { timeout, strict: flags.strict === true })
  if ('unique_skus' in reply) {
    print(
      messages.compiled(name, count(reply.unique_skus, 'record'), count(reply.total_rows_processed, 'row')),
    )
    if (reply.waits) print(messages.compile_waits)
  } else print(messages.goes_on(reply.run_id))
  printJson(reply)
  return EXIT.ok
}
