import { cliMessages as messages } from '../contract/cli/client-messages.ts'
import { Refused } from './client.ts'
import { EXIT, UsageError } from './command.ts'

/** A failed command: its exit status, and the error as --json prints it. */
export type Failure = { exit: number; code: string; status?: number; message: string }

/** The user interrupted the command; the message says what continues without it. */
export class Interrupted extends Error {
  override name = 'Interrupted'
}

/** The failure that an error means; undefined for a defect of the program. */
export function failureOf(error: unknown): Failure | undefined {
  if (error instanceof UsageError) return { exit: EXIT.usage, code: 'usage', message: error.message }
  if (error instanceof Interrupted)
    return { exit: EXIT.interrupted, code: 'interrupted', message: error.message }
  if (error instanceof Refused) {
    const { status, message, code = 'no_answer' } = error
    return { exit: EXIT.refused, code, status, message }
  }
  // Commands report files that they cannot read as UsageError, so this one was written.
  if (error instanceof Error && 'syscall' in error) return notWritten(error)
  return undefined
}

/** A file or the output could not be written. */
export const notWritten = ({ message }: Error): Failure => ({
  exit: EXIT.unwritten,
  code: 'not_written',
  message: messages.not_written(message),
})

/** A failure as a line of standard error. */
export const failureText = (failure: Failure, is_json: boolean): string =>
  `${is_json ? JSON.stringify(failure) : failure.message}\n`
