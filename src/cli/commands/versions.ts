import { cliMessages as messages } from '../../contract/cli/client-messages.ts'
import { plans, type Version } from '../../contract/plans/calls.ts'
import { type Command, EXIT, numberOf, UsageError } from '../command.ts'
import { syncTaskId } from '../tasks.ts'
import { count, localTime, table, visible } from '../text.ts'
import { showPlan } from './preview.ts'

const BYTES_PER_MB = 1_000_000

/** Lists the changes of a target that can be undone or restored. */
export const versions: Command = {
  summary: 'List the versions of a sync task’s target, newest first',
  args: ['TASK'],
  run: async ({ client, args, zone, print, printJson }) => {
    const id = await syncTaskId(client, args[0])
    const reply = await client.call(plans.versions, { params: { id } })
    printJson(reply)
    const rows = reply.versions.map((version) => rowOf(version, zone))
    if (rows.length === 0) print(messages.no_versions(visible(args[0] ?? '')))
    else
      for (const line of table(['VERSION', 'CHANGED', 'ROWS', 'CHANGE', 'STARTED BY', 'MB'], rows))
        print(line)
    return EXIT.ok
  },
}

const rowOf = (
  { run_id, changed_at, rows, cells_changed, summary, trigger, bytes }: Version,
  zone: string,
) => [
  String(run_id),
  localTime(changed_at, zone),
  String(rows),
  summary?.lines[0]?.text ?? count(cells_changed, 'cell'),
  trigger,
  bytes === null ? messages.not_measured : (bytes / BYTES_PER_MB).toFixed(1),
]

const flags = {
  edits: { type: 'boolean', summary: 'Also restore cells that were edited since' },
  timeout: { type: 'string', value: 'SECONDS', summary: 'Wait no longer than this' },
} as const

/** Makes a plan that undoes the last change of a target; `rowferry run --plan` writes it. */
export const undo: Command = {
  summary: 'Plan to undo the last change of a sync task’s target, without writing',
  args: ['TASK'],
  flags,
  run: async (context) => {
    const timeout = numberOf('timeout', context.flags.timeout)
    const id = await syncTaskId(context.client, context.args[0])
    const body = { overwrite_edits: context.flags.edits === true }
    const { run_id } = await context.client.call(plans.undo, { params: { id }, query: {}, body })
    return showPlan(context, run_id, timeout)
  },
}

/** Makes a plan that restores a version; `rowferry run --plan` writes it. */
export const restore: Command = {
  summary: 'Plan to restore a version of a sync task’s target, without writing',
  args: ['TASK', 'VERSION'],
  flags,
  run: async (context) => {
    const timeout = numberOf('timeout', context.flags.timeout)
    const [name, text = ''] = context.args
    const version = Number(text)
    if (!Number.isInteger(version) || version < 1) throw new UsageError(messages.no_version_number(text))
    const id = await syncTaskId(context.client, name)
    const body = { overwrite_edits: context.flags.edits === true }
    const { run_id } = await context.client.call(plans.restore, { params: { id, version }, query: {}, body })
    return showPlan(context, run_id, timeout)
  },
}
