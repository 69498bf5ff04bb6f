import { cliMessages as messages } from '../../contract/cli/client-messages.ts'
import { limits } from '../../contract/limits.ts'
import type { RunReply } from '../../contract/runs/wait-for-run.ts'
import { sourceTriggers } from '../../contract/source-tasks/triggers.ts'
import { syncTasks } from '../../contract/sync-tasks/calls.ts'
import { type Client, Refused } from '../client.ts'
import { type Command, type Context, EXIT, numberOf, UsageError } from '../command.ts'
import { begin, followRun, waitFlags } from '../follow-run.ts'
import { newestRunOf } from '../newest-run.ts'
import { runFailed } from '../run-failed.ts'
import { findTask, type ListedTask } from '../tasks.ts'
import { compileConfig } from './compile.ts'

export const run: Command = {
  summary: 'Run a task now, or all whose last run failed',
  args: ['[TASK]'],
  flags: {
    ...waitFlags,
    failed: { type: 'boolean', summary: 'Run every task whose last run failed' },
    plan: { type: 'string', value: 'HASH', summary: 'Write exactly the rows of a plan of rowferry preview' },
  },
  run: async (context) => {
    const timeout = numberOf('timeout', context.flags.timeout)
    const [text] = context.args
    if (context.flags.failed) {
      if (text !== undefined) throw new UsageError(messages.too_many(text))
      return runFailed(context, timeout)
    }
    if (text === undefined) throw new UsageError(messages.wanted('TASK'))
    const task = await findTask(context.client, text)
    const plan = typeof context.flags.plan === 'string' ? context.flags.plan : undefined
    if (plan !== undefined && task.category !== 'sync') throw new UsageError(messages.plan_of_sync)
    if (task.config_id !== null) return compileConfig(context, task, { overwrite: true })
    if (!context.flags.wait) {
      const reply = await begin(context, () => start(context.client, task, { plan }))
      context.print(reply.message)
      context.printJson(reply)
      return EXIT.ok
    }
    const id = await begin(context, () => startedRun(context, task, plan))
    return followRun(context, id, { timeout, strict: context.flags.strict === true })
  },
}

const start = (
  client: Client,
  { id, category }: ListedTask,
  { wait, plan }: { wait?: number; plan: string | undefined },
): Promise<RunReply> => {
  const request = { params: { id }, query: wait === undefined ? {} : { wait: String(wait) } }
  return category === 'sync'
    ? client.call(syncTasks.execute, { ...request, body: plan === undefined ? undefined : { plan } })
    : client.call(sourceTriggers.triggerTask, {
        ...request,
        body: { trigger: limits.trigger_default },
      })
}

/** Starts the task and returns the run's id, also if the run fails while the call waits for its start. */
async function startedRun({ client }: Context, task: ListedTask, plan: string | undefined): Promise<number> {
  try {
    const { run } = await start(client, task, { wait: 1, plan })
    if (run) return run.id
  } catch (error) {
    if (!(error instanceof Refused) || error.code !== 'run_failed') throw error
  }
  return newestRunOf(client, task)
}
