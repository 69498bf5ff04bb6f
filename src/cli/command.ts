import type { Client } from './client.ts'

/** How a command ended, as a shell reads it. */
export const EXIT = {
  ok: 0,
  /** The run failed, or rows were refused. */
  failed: 1,
  /** The command line itself is wrong. */
  usage: 2,
  /** With --strict: the run left warnings. */
  warning: 3,
  stopped: 4,
  /** The server did not answer, or refused. */
  refused: 5,
  /** --timeout is over, and the run goes on. */
  goes_on: 6,
  /** What was asked for could not be written: a full disk, a folder that is not there. */
  unwritten: 7,
  /** Ctrl-C. */
  interrupted: 130,
} as const

/** What the program stands in; tests bring their own. */
export type CommandEnvironment = {
  env: Record<string, string | undefined>
  home: string
  out: (text: string) => void
  err: (text: string) => void
  /** Whether `err` goes to a terminal, where a line can be written over. */
  isTerminal: boolean
  readSecret: (question: string) => Promise<string | null>
  /** How long a command that waits bears with a server that is away, in milliseconds. */
  retry_for_ms: number
  /** Aborted when the person wants to leave. */
  signal: AbortSignal
}

/** What a command is given. */
export type Context = CommandEnvironment & {
  client: Client
  args: readonly string[]
  flags: Record<string, string | boolean | undefined>
  /** Writes a line; not with --json. */
  say: (line: string) => void
  /** Writes a value as JSON; only with --json. */
  tell: (value: unknown) => void
}

type Flag = {
  type: 'string' | 'boolean'
  summary: string
  /** What the value is called, and the values that there are. */
  value?: string
  choices?: readonly string[]
}

/** A command of the command line: what it takes and what it does. Help and completion are made from it. */
export type Command = {
  summary: string
  /** Names of what follows; those in brackets may be left out. */
  args: readonly string[]
  /** The values that the first of them may have. */
  choices?: readonly string[]
  flags?: Record<string, Flag>
  /** It needs no server. */
  local?: true
  run: (context: Context) => Promise<number>
}

/** The command line is wrong; the message says how. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** The flag's text; undefined where it is not given. */
export const textOf = (value: string | boolean | undefined) => (typeof value === 'string' ? value : undefined)

/** A flag that counts something. Throws UsageError. */
export function numberOf(name: string, value: string | boolean | undefined): number | undefined {
  if (value === undefined) return undefined
  if (typeof value !== 'string' || !/^[1-9]\d{0,8}$/.test(value))
    throw new UsageError(`--${name} takes a whole number`)
  return Number(value)
}
