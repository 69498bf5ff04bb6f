import type { Client } from './client.ts'

/** Exit statuses of commands. */
export const EXIT = {
  ok: 0,
  /** The run failed, or rows were rejected. */
  failed: 1,
  /** Invalid command line. */
  usage: 2,
  /** With --strict: the run left warnings. */
  warning: 3,
  stopped: 4,
  /** The server did not answer, or rejected the call. */
  refused: 5,
  /** --timeout expired; the run continues. */
  goes_on: 6,
  /** The output could not be written: the disk is full, or the folder does not exist. */
  unwritten: 7,
  /** Ctrl-C. */
  interrupted: 130,
} as const

/** Environment of a command; tests pass their own. */
export type CommandEnvironment = {
  env: Record<string, string | undefined>
  home: string
  out: (text: string) => void
  err: (text: string) => void
  /** Whether `err` is a terminal, where a line can be overwritten. */
  isTerminal: boolean
  readSecret: (question: string) => Promise<string | null>
  /** Lines of standard input until its end, or until the user leaves. */
  lines: () => AsyncIterable<string>
  /** IANA name of the time zone of printed times. */
  zone: string
  /** How long a command that waits retries while the server is unavailable, in milliseconds. */
  retry_for_ms: number
  /** Aborted by Ctrl-C. */
  signal: AbortSignal
}

/** Value of a flag; a list if it can be given several times. */
export type FlagValue = string | boolean | (string | boolean)[] | undefined

/** Argument of a command's `run`. */
export type Context = CommandEnvironment & {
  client: Client
  args: readonly string[]
  flags: Record<string, FlagValue>
  /** With --json. */
  is_json: boolean
  /** Writes a line, unless --json is given. */
  print: (line: string) => void
  /** Writes a value as JSON, only if --json is given. */
  printJson: (value: unknown) => void
  /** Writes a line to standard error, unless --json is given. */
  note: (line: string) => void
}

type Flag = {
  type: 'string' | 'boolean'
  summary: string
  /** Placeholder of the flag's value in help, and its allowed values. */
  value?: string
  choices?: readonly string[]
  /** Can be given several times. */
  multiple?: true
}

/** A command: arguments, flags and implementation. Help and shell completion are generated from it. */
export type Command = {
  summary: string
  /** Names of the positional arguments; those in brackets are optional, a last one with dots may be repeated. */
  args: readonly string[]
  /** Allowed values of the first argument. */
  choices?: readonly string[]
  flags?: Record<string, Flag>
  /** Does not need a server. */
  local?: true
  run: (context: Context) => Promise<number>
}

/** The command line is invalid; the message says why. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** Text of a flag; undefined if it is not given. */
export const textOf = (value: FlagValue) => (typeof value === 'string' ? value : undefined)

/** Value of a numeric flag. Throws UsageError. */
export function numberOf(name: string, value: FlagValue): number | undefined {
  if (value === undefined) return undefined
  if (typeof value !== 'string' || !/^[1-9]\d{0,8}$/.test(value))
    throw new UsageError(`--${name} takes a whole number`)
  return Number(value)
}
