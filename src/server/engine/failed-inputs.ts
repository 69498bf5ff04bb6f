import { runMessages as messages } from '../../contract/run-messages.ts'
import { readFailedInputs } from './inputs.ts'
import type { RunContext } from './types.ts'

/**
 * Warns of each input that the run waited for and that did not end well: the run goes on with its last good rows and ends as a
 * Warning. Each failed run is a warning of its own, so that acknowledging one says nothing of the next.
 */
export async function warnOfFailedInputs(
  context: Pick<RunContext, 'db' | 'warn'>,
  input_run_ids: readonly number[],
): Promise<void> {
  for (const { run_id, name, state } of await readFailedInputs(context.db, input_run_ids)) {
    const message = state === 'stopped' ? messages.input_stopped(name) : messages.input_failed(name)
    await context.warn({ kind: 'input', subject: String(run_id), message })
  }
}
