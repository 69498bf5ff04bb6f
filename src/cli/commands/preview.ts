import { cliMessages as messages } from '../../contract/cli/client-messages.ts'
import { plans } from '../../contract/plans/calls.ts'
import { type Command, type Context, EXIT, numberOf, UsageError } from '../command.ts'
import { followRun } from '../follow-run.ts'
import { previewMany } from '../preview-many.ts'
import { printSummary, titleOf } from '../print-summary.ts'
import { syncTaskId } from '../tasks.ts'
import { localTime } from '../text.ts'

const MANY = ['type', 'target', 'all'] as const

/** Shows what runs of sync tasks would change; `--json` prints the plan, or the previews of several tasks. */
export const preview: Command = {
  summary: 'Show what a run of a sync task would change, without writing',
  args: ['[TASK...]'],
  flags: {
    type: { type: 'string', value: 'NAME', summary: 'Preview the active tasks of this type' },
    target: { type: 'string', value: 'ID', summary: 'Preview the active tasks with this target spreadsheet' },
    all: { type: 'boolean', summary: 'Preview all active tasks' },
    timeout: { type: 'string', value: 'SECONDS', summary: 'Wait no longer than this' },
  },
  run: async (context) => {
    const { client, args, flags } = context
    const timeout = numberOf('timeout', flags.timeout)
    const [first, ...others] = args
    const given = [first, ...MANY.map((flag) => flags[flag])].filter((value) => value !== undefined)
    if (given.length !== 1) throw new UsageError(messages.one_of_previews)
    if (first === undefined || others.length > 0) return previewMany(context, timeout)
    const id = await syncTaskId(client, first)
    const { run_id } = await client.call(plans.preview, { params: { id }, query: {} })
    return showPlan(context, run_id, timeout)
  },
}

/** Waits for a preview and prints its plan; if it fails, how it ended. */
export async function showPlan(
  context: Context,
  run_id: number,
  timeout: number | undefined,
): Promise<number> {
  const { client, print, printJson, zone } = context
  // The plan is printed instead of the run.
  const silent = { ...context, print: () => {}, printJson: () => {} }
  const status = await followRun(silent, run_id, { timeout, strict: false })
  if (status === EXIT.goes_on) return status
  if (status !== EXIT.ok) return followRun(context, run_id, { timeout, strict: false })
  const plan = await client.call(plans.ofRun, { params: { id: run_id } })
  print(titleOf(plan))
  printSummary(context, plan)
  if (plan.expires_at !== null)
    print(messages.apply_plan(plan.task_id, plan.hash, localTime(plan.expires_at, zone)))
  printJson(plan)
  return EXIT.ok
}
