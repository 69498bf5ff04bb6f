import { cliMessages as messages } from '../contract/cli/client-messages.ts'
import { type RunDetail, runs } from '../contract/runs/calls.ts'
import { type RunState, syncStatus } from '../contract/runs/status.ts'
import { type Context, EXIT } from './command.ts'
import { retryWhileUnavailable } from './retry-while-unavailable.ts'
import { count, elapsed, progressLine, visible } from './text.ts'

/** What may be said of waiting, by every command that begins a run. */
export const waitFlags = {
  wait: { type: 'boolean', summary: 'Wait for the end of the run, and exit by its outcome' },
  timeout: { type: 'string', value: 'SECONDS', summary: 'Wait no longer than this' },
  strict: { type: 'boolean', summary: 'A run with warnings exits with 3' },
} as const

const LOOK_SECONDS = 1
const LIVE: readonly RunState[] = ['queued', 'running', 'stopping']

/** Clears the line that the cursor is in. */
const AGAIN = '\r\u001b[2K'

type Options = { timeout: number | undefined; strict: boolean }

/** Sends a request that starts work. An interrupt prints that the work continues. */
export async function begin<T>({ signal, err }: Context, call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (signal.aborted) err(`${messages.left}\n`)
    throw error
  }
}

/** Shows how far a run is until it is over, and how it ended. Returns the exit status. Ctrl-C leaves it running. */
export async function followRun(context: Context, id: number, options: Options): Promise<number> {
  const { client, signal, err, isTerminal } = context
  const deadline = options.timeout === undefined ? null : Date.now() + options.timeout * 1000
  const clear = () => isTerminal && err(AGAIN)
  try {
    for (;;) {
      const style = () => client.call(runs.get, { params: { id }, query: { wait: String(LOOK_SECONDS) } })
      const run = await retryWhileUnavailable(context, style)
      clear()
      if (!LIVE.includes(run.state)) return report(context, run, options)
      if (deadline !== null && Date.now() >= deadline) {
        context.tell(run)
        err(`${messages.goes_on(id)}\n`)
        return EXIT.goes_on
      }
      if (isTerminal) err(progressLine(run))
    }
  } catch (error) {
    if (!signal.aborted) throw error
    clear()
    err(`${messages.interrupted(id)}\n`)
    return EXIT.interrupted
  }
}

function report({ say, tell }: Context, run: RunDetail, { strict }: Options): number {
  const time = run.duration_seconds === null ? '' : elapsed(run.duration_seconds)
  const rows = run.rows > 0 && time ? messages.rows_in(count(run.rows, 'row'), time) : time
  const detail = run.error ?? run.message ?? ''
  say(messages.ended(visible(run.task_name), syncStatus(run.state), visible(detail)))
  if (rows) say(rows)
  for (const warning of run.warnings) say(`! ${visible(warning)}`)
  tell(run)
  switch (run.state) {
    case 'success':
      return EXIT.ok
    case 'warning':
      return strict ? EXIT.warning : EXIT.ok
    case 'stopped':
      return EXIT.stopped
    default:
      return EXIT.failed
  }
}
