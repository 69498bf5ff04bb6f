import { parseArgs } from 'node:util'
import { cliMessages as messages } from '../contract/cli/client-messages.ts'
import { createClient } from './client.ts'
import {
  type Command,
  type CommandEnvironment,
  type Context,
  EXIT,
  type FlagValue,
  UsageError,
} from './command.ts'
import { commands } from './commands.ts'
import { type Failure, failureOf, failureText, Interrupted } from './failure.ts'
import { helpOf, jsonHelp, overview } from './help.ts'
import { readLogin } from './login-file.ts'

/** Carries out one command line and returns its exit status. */
export async function rowferry(argv: readonly string[], environment: CommandEnvironment): Promise<number> {
  const { out, err, signal } = environment
  const is_json = argv.includes('--json')
  const [name = 'help', ...rest] = argv
  if (['help', '--help', '-h', '--json'].includes(name)) {
    const [asked = ''] = rest
    const command = commands[asked]
    if (is_json) out(jsonHelp(command ? { [asked]: command } : commands))
    else out(command ? helpOf(asked, command) : overview(commands))
    return EXIT.ok
  }
  try {
    const command = commands[name]
    if (!command) throw new UsageError(messages.unknown_command(name))
    const { values, positionals } = parse(command, rest)
    if (values.help) {
      out(is_json ? jsonHelp({ [name]: command }) : helpOf(name, command))
      return EXIT.ok
    }
    check(command, positionals, values)
    return await command.run(await contextOf(command, environment, { values, positionals }))
  } catch (error) {
    const failure = signal.aborted && !(error instanceof Interrupted) ? left : failureOf(error)
    if (!failure && !is_json) throw error
    const told = failure ?? { exit: EXIT.failed, code: 'unexpected', message: messages.unexpected }
    if (is_json || told !== left) err(failureText(told, is_json))
    return told.exit
  }
}

/** The user interrupted a command that leaves nothing running. */
const left: Failure = { exit: EXIT.interrupted, code: 'interrupted', message: messages.interrupted_command }

type Parsed = { values: Context['flags']; positionals: string[] }

function parse(command: Command, args: string[]): Parsed {
  const flags = Object.entries(command.flags ?? {}).map(
    ([name, { type, multiple = false }]) => [name, { type, multiple }] as const,
  )
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
    // Node's message describes the mistake in the command line.
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

function check(command: Command, positionals: readonly string[], values: Context['flags']): void {
  const missing = command.args.slice(positionals.length).find((arg) => !arg.startsWith('['))
  if (missing) throw new UsageError(messages.wanted(missing))
  const surplus = positionals[command.args.length]
  const isRepeated = command.args.at(-1)?.includes('...') ?? false
  if (surplus !== undefined && !isRepeated) throw new UsageError(messages.too_many(surplus))
  const chosen: [FlagValue, readonly string[] | undefined][] = [
    [positionals[0], command.choices],
    ...Object.entries(command.flags ?? {}).map(
      ([name, { choices }]) => [values[name], choices] as [FlagValue, readonly string[] | undefined],
    ),
  ]
  for (const [value, choices] of chosen)
    if (typeof value === 'string' && choices && !choices.includes(value))
      throw new UsageError(messages.no_choice(value, choices))
}

async function contextOf(
  command: Command,
  environment: CommandEnvironment,
  { values, positionals }: Parsed,
): Promise<Context> {
  const { out, signal } = environment
  const is_json = values.json === true
  const { err } = environment
  const login = command.local ? { url: '', token: '' } : await readLogin(environment)
  return {
    ...environment,
    client: createClient({ ...login, signal }),
    args: positionals,
    flags: values,
    is_json,
    print: (line) => {
      if (!is_json) out(`${line}\n`)
    },
    printJson: (value) => {
      if (is_json) out(`${JSON.stringify(value)}\n`)
    },
    note: (line) => {
      if (!is_json) err(`${line}\n`)
    },
  }
}
