import type { Command } from './command.ts'
import { table } from './text.ts'

const usageOf = (name: string, { args }: Command) => ['rowferry', name, ...args].join(' ')

const flagsOf = (command: Command): string[][] => [
  ...Object.entries(command.flags ?? {}).map(([name, { type, value, choices, summary }]) => [
    `  --${name}${type === 'string' ? ` ${choices ? choices.join('|') : (value ?? 'TEXT')}` : ''}`,
    summary,
  ]),
  ['  --json', 'Print the answer as JSON'],
  ['  -h, --help', 'Print this'],
]

/** Help of one command. */
export const helpOf = (name: string, command: Command): string =>
  [
    command.summary,
    '',
    `Usage: ${usageOf(name, command)} [FLAGS]`,
    ...(command.choices ? [`  ${command.args[0]} is one of ${command.choices.join(', ')}`] : []),
    '',
    ...table(['Flags', ''], flagsOf(command)),
    '',
  ].join('\n')

/** List of the commands, and the meaning of exit statuses. */
export const overview = (commands: Record<string, Command>): string =>
  [
    'Runs and watches the tasks of a Rowferry server.',
    '',
    ...table(
      ['Commands', ''],
      Object.entries(commands).map(([name, command]) => [
        `  ${usageOf(name, command).slice('rowferry '.length)}`,
        command.summary,
      ]),
    ),
    '',
    'rowferry help COMMAND says more. With --json each prints JSON.',
    'Exit status: 0 done, 1 failed, 2 wrong command line, 3 warnings (with --strict), 4 stopped,',
    '5 refused or no answer, 6 goes on (--timeout is over), 7 cannot be written, 130 Ctrl-C.',
    '',
  ].join('\n')

/** The same as JSON. */
export const jsonHelp = (commands: Record<string, Command>): string => {
  const listed = Object.entries(commands).map(([name, { summary, args, choices = [], flags = {} }]) => ({
    name,
    summary,
    args,
    choices,
    flags: Object.entries(flags).map(([flag, { type, summary, value = null, choices = [] }]) => ({
      name: flag,
      type,
      summary,
      value,
      choices,
    })),
  }))
  return `${JSON.stringify({ commands: listed })}\n`
}
