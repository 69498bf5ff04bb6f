import { parseArgs } from 'node:util'
import { cliMessages as messages } from '../contract/cli/client-messages.ts'
import { createClient, Refused } from './client.ts'
import { type Command, type CommandEnvironment, type Context, EXIT, UsageError } from './command.ts'
import { commands } from './commands.ts'
import { helpOf, overview } from './help.ts'
import { readLogin } from './login-file.ts'

/** Carries out one command line and returns its exit status. */
export async function rowferry(argv: readonly string[], surroundings: CommandEnvironment): Promise<number> {
  const { out, err, signal } = surroundings
  const [name = 'help', ...rest] = argv
  if (['help', '--help', '-h'].includes(name)) {
    const asked = commands[rest[0] ?? '']
    out(asked ? helpOf(rest[0] ?? '', asked) : overview(commands))
    return EXIT.ok
  }
  try {
    const command = commands[name]
    if (!command) throw new UsageError(messages.unknown_command(name))
    const { values, positionals } = parse(command, rest)
    if (values.help) {
      out(helpOf(name, command))
      return EXIT.ok
    }
    check(command, positionals, values)
    return await command.run(await contextOf(command, surroundings, { values, positionals }))
  } catch (error) {
    if (signal.aborted) return EXIT.interrupted
    const failure = failureOf(error)
    if (!failure) throw error
    const { exit, ...summary } = failure
    err(argv.includes('--json') ? `${JSON.stringify(summary)}\n` : `${summary.message}\n`)
    return exit
  }
}

type Failure = { exit: number; code: string; status?: number; message: string }

/** What a command ends with that fails; undefined: that is a mistake of ours. */
function failureOf(error: unknown): Failure | undefined {
  if (error instanceof UsageError) return { exit: EXIT.usage, code: 'usage', message: error.message }
  if (error instanceof Refused) {
    const { status, message, code = 'no_answer' } = error
    return { exit: EXIT.refused, code, status, message }
  }
  // A command writes files itself; it names the files that it reads.
  if (error instanceof Error && 'syscall' in error)
    return { exit: EXIT.unwritten, code: 'not_written', message: messages.not_written(error.message) }
  return undefined
}

type Parsed = { values: Context['flags']; positionals: string[] }

function parse(command: Command, args: string[]): Parsed {
  const flags = Object.entries(command.flags ?? {}).map(([name, { type }]) => [name, { type }] as const)
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        ...Object.fromEntries(flags),
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch (error) {
    // Node's own words are about what the person typed.
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

function check(command: Command, positionals: readonly string[], values: Context['flags']): void {
  const missing = command.args.slice(positionals.length).find((arg) => !arg.startsWith('['))
  if (missing) throw new UsageError(messages.wanted(missing))
  const surplus = positionals[command.args.length]
  if (surplus !== undefined) throw new UsageError(messages.too_many(surplus))
  const chosen: [string | boolean | undefined, readonly string[] | undefined][] = [
    [positionals[0], command.choices],
    ...Object.entries(command.flags ?? {}).map(
      ([name, { choices }]) =>
        [values[name], choices] as [string | boolean | undefined, readonly string[] | undefined],
    ),
  ]
  for (const [value, choices] of chosen)
    if (typeof value === 'string' && choices && !choices.includes(value))
      throw new UsageError(messages.no_choice(value, choices))
}

async function contextOf(
  command: Command,
  surroundings: CommandEnvironment,
  { values, positionals }: Parsed,
): Promise<Context> {
  const { out, signal } = surroundings
  const is_json = values.json === true
  const login = command.local ? { url: '', token: '' } : await readLogin(surroundings)
  return {
    ...surroundings,
    client: createClient({ ...login, signal }),
    args: positionals,
    flags: values,
    say: (line) => {
      if (!is_json) out(`${line}\n`)
    },
    tell: (value) => {
      if (is_json) out(`${JSON.stringify(value)}\n`)
    },
  }
}
