import { limits } from '../../contract/limits.ts'
import { runs } from '../../contract/runs/calls.ts'
import type { RunReply } from '../../contract/runs/wait-for-run.ts'
import { sourceTriggers } from '../../contract/source-tasks/triggers.ts'
import { syncTasks } from '../../contract/sync-tasks/calls.ts'
import { type Client, Refused } from '../client.ts'
import { type Command, type Context, EXIT, numberOf } from '../command.ts'
import { begin, followRun, waitFlags } from '../follow-run.ts'
import { findTask, type ListedTask } from '../tasks.ts'
import { compileConfig } from './compile.ts'

/** Runs a task of any category. */
export const run: Command = {
  summary: 'Run a task now',
  args: ['TASK'],
  flags: waitFlags,
  run: async (context) => {
    const timeout = numberOf('timeout', context.flags.timeout)
    const task = await findTask(context.client, context.args[0] ?? '')
    if (task.config_id !== null) return compileConfig(context, task, { overwrite: true })
    if (!context.flags.wait) {
      const reply = await begin(context, () => start(context.client, task))
      context.say(reply.message)
      context.tell(reply)
      return EXIT.ok
    }
    const id = await begin(context, () => startedRun(context, task))
    return followRun(context, id, { timeout, strict: context.flags.strict === true })
  },
}

const start = (client: Client, { id, category }: ListedTask, wait?: number): Promise<RunReply> => {
  const request = { params: { id }, query: wait === undefined ? {} : { wait: String(wait) } }
  return category === 'sync'
    ? client.call(syncTasks.execute, request)
    : client.call(sourceTriggers.triggerTask, {
        ...request,
        body: { trigger: limits.trigger_default },
      })
}

/** Starts the task and returns the run's id, also of one that has failed within the second that the answer waits. */
async function startedRun({ client }: Context, task: ListedTask): Promise<number> {
  try {
    const { run } = await start(client, task, 1)
    if (run) return run.id
  } catch (error) {
    if (!(error instanceof Refused) || error.code !== 'run_failed') throw error
  }
  const history = task.category === 'sync' ? runs.ofSyncTask : runs.ofSourceTask
  const newest = await client.call(history, { params: { id: task.id }, query: { limit: '1' } })
  return newest.runs[0]?.id ?? 0
}
