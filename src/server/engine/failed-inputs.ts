import { runMessages } from '../../contract/runs/client-messages.ts'
import { readFailedInputs } from './inputs.ts'
import type { RunContext } from './types.ts'

/**
 * Adds a warning for each input whose awaited run did not succeed: the run reads that input's last good rows and ends
 * as a Warning. The failed run is part of the warning's identity, so acknowledging one does not hide the next.
 */
export async function warnOfFailedInputs(
  context: Pick<RunContext, 'db' | 'warn'>,
  input_run_ids: readonly number[],
): Promise<void> {
  for (const { run_id, name, state } of await readFailedInputs(context.db, input_run_ids)) {
    const message = state === 'stopped' ? runMessages.input_stopped(name) : runMessages.input_failed(name)
    await context.warn({ kind: 'input', subject: String(run_id), message })
  }
}
