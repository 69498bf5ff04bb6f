import { setTimeout as pause } from 'node:timers/promises'
import { cliMessages as messages } from '../contract/cli/client-messages.ts'
import { type Preview, plans } from '../contract/plans/calls.ts'
import { type RunState, syncStatus } from '../contract/runs/status.ts'
import { unifiedTaskTypes } from '../contract/task-types/calls.ts'
import { Refused } from './client.ts'
import { type Context, EXIT, textOf } from './command.ts'
import { Interrupted } from './failure.ts'
import { printSummary } from './print-summary.ts'
import { retryWhileUnavailable } from './retry-while-unavailable.ts'
import { findOne, syncTaskIds } from './tasks.ts'
import { count, visible } from './text.ts'

const POLL_MS = 1_000
const LIVE: readonly RunState[] = ['queued', 'running', 'stopping']

const isLive = ({ state }: Preview) => LIVE.includes(state)

/** Previews the named sync tasks, or the active ones of a type or of a target spreadsheet, or all; prints each summary. `--json` prints the previews. */
export async function previewMany(context: Context, timeout: number | undefined): Promise<number> {
  const { client, print, printJson } = context
  const started = await client.call(plans.previewMany, { body: await selectionOf(context) })
  print(started.message)
  if (started.runs === '') {
    printJson([])
    return EXIT.ok
  }
  const previews = await untilOver(context, started.runs, timeout)
  for (const { task_name, state, error, plan } of previews) {
    print(messages.ended(visible(task_name), syncStatus(state), visible(error ?? '')))
    if (plan) printSummary(context, plan)
  }
  printJson(previews)
  if (previews.some(isLive)) return EXIT.goes_on
  return previews.every(({ plan }) => plan) ? EXIT.ok : EXIT.failed
}

async function selectionOf({ client, args, flags }: Context) {
  if (args.length > 0) return { ids: await syncTaskIds(client, args) }
  if (flags.all) return { all: true } as const
  const target = textOf(flags.target)
  if (target !== undefined) return { target_spreadsheet_id: target }
  const text = textOf(flags.type) ?? ''
  const types = await client.call(unifiedTaskTypes.list, { query: { category: 'sync' } })
  const named = types.map(({ id, name, task_category: category }) => ({ id, name, category }))
  return { sync_task_type_id: findOne(named, text, ({ id }) => id, messages.no_such_type(text)).id }
}

async function untilOver(context: Context, runs: string, timeout: number | undefined): Promise<Preview[]> {
  const { client, signal, note } = context
  const deadline = timeout === undefined ? null : Date.now() + timeout * 1000
  try {
    for (;;) {
      const previews = await retryWhileUnavailable(context, () =>
        client.call(plans.previews, { query: { runs } }),
      )
      const live = previews.filter(isLive).length
      if (live === 0) return previews
      if (deadline !== null && Date.now() >= deadline) {
        note(messages.previews_go_on(count(live, 'preview')))
        return previews
      }
      await pause(POLL_MS, undefined, { signal })
    }
  } catch (error) {
    if (!signal.aborted || error instanceof Refused) throw error
    throw new Interrupted(messages.left)
  }
}
