import { cliMessages as messages } from '../contract/cli/client-messages.ts'
import { type RunDetail, runs } from '../contract/runs/calls.ts'
import { tabMessages } from '../contract/runs/client-messages.ts'
import { type RunState, syncStatus } from '../contract/runs/status.ts'
import { type Context, EXIT } from './command.ts'
import { Interrupted } from './failure.ts'
import { retryWhileUnavailable } from './retry-while-unavailable.ts'
import { count, elapsed, progressLine, table, visible } from './text.ts'

/** Flags about waiting, shared by all commands that start a run. */
export const waitFlags = {
  wait: { type: 'boolean', summary: 'Wait for the end of the run, and exit by its outcome' },
  timeout: { type: 'string', value: 'SECONDS', summary: 'Wait no longer than this' },
  strict: { type: 'boolean', summary: 'A run with warnings exits with 3' },
} as const

const POLL_SECONDS = 1
const LIVE: readonly RunState[] = ['queued', 'running', 'stopping']

/** Clears the line of the cursor. */
const CLEAR_LINE = '\r\u001b[2K'

type Options = { timeout: number | undefined; strict: boolean }

/** Sends a request that starts work. An interrupt prints that the work continues. */
export async function begin<T>({ signal }: Context, call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (signal.aborted) throw new Interrupted(messages.left)
    throw error
  }
}

/** Shows the progress of a run until it ends, then its result. Returns the exit status. Ctrl-C leaves the run running. */
export async function followRun(context: Context, id: number, options: Options): Promise<number> {
  const { client, signal, err } = context
  const isTerminal = context.isTerminal && !context.is_json
  const deadline = options.timeout === undefined ? null : Date.now() + options.timeout * 1000
  const clear = () => isTerminal && err(CLEAR_LINE)
  try {
    for (;;) {
      const style = () => client.call(runs.get, { params: { id }, query: { wait: String(POLL_SECONDS) } })
      const run = await retryWhileUnavailable(context, style)
      clear()
      if (!LIVE.includes(run.state)) return report(context, run, options)
      if (deadline !== null && Date.now() >= deadline) {
        context.printJson(run)
        context.note(messages.goes_on(id))
        return EXIT.goes_on
      }
      if (isTerminal) err(progressLine(run))
    }
  } catch (error) {
    if (!signal.aborted) throw error
    clear()
    throw new Interrupted(messages.interrupted(id))
  }
}

/** A table of the tabs of a split task. */
function tabLines({ receipt }: RunDetail): string[] {
  if (receipt === null || !('tabs' in receipt) || !receipt.tabs) return []
  return table(
    ['TAB', 'VALUE', 'ROWS', 'CELLS CHANGED'],
    receipt.tabs.map(({ sheet_name, value, rows, cells_changed, is_cleared }) => [
      sheet_name,
      value,
      is_cleared ? tabMessages.emptied : String(rows),
      String(cells_changed),
    ]),
  )
}

function report({ print, printJson }: Context, run: RunDetail, { strict }: Options): number {
  const time = run.duration_seconds === null ? '' : elapsed(run.duration_seconds)
  const rows = run.rows > 0 && time ? messages.rows_in(count(run.rows, 'row'), time) : time
  const detail = run.error ?? run.message ?? ''
  print(messages.ended(visible(run.task_name), syncStatus(run.state), visible(detail)))
  if (rows) print(rows)
  for (const line of tabLines(run)) print(line)
  for (const warning of run.warnings) print(`! ${visible(warning)}`)
  printJson(run)
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
