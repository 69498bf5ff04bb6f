import { type BulkResult, tasksBulk } from '../contract/bulk/calls.ts'
import { cliMessages as messages } from '../contract/cli/client-messages.ts'
import { compiler } from '../contract/compiler/calls.ts'
import { limits } from '../contract/limits.ts'
import { Refused } from './client.ts'
import { type Context, EXIT } from './command.ts'
import { begin, followRun } from './follow-run.ts'
import { newestRunOf } from './newest-run.ts'
import { type ListedTask, listFailed } from './tasks.ts'
import { count, visible } from './text.ts'

/** Result for one failed task; `reason` is blank where it was queued. */
type Outcome = { task: ListedTask; status: 'queued' | 'skipped' | 'refused'; reason: string }

// Errors of compiles that were started and ended before the reply.
const ENDED_BADLY = ['compile_failed', 'compile_stopped']

// Most severe first: the exit status is that of the worst run.
const BY_SEVERITY = [EXIT.failed, EXIT.stopped, EXIT.goes_on, EXIT.warning]

/** Runs every task whose last run failed. Prints queued and skipped tasks; with --wait also the result of each run. */
export async function runFailed(context: Context, timeout: number | undefined): Promise<number> {
  const { client, flags, print, printJson } = context
  const failed = await listFailed(client)
  const outcomes = await begin(context, () => startAll(context, failed))
  const having = (status: Outcome['status']) => outcomes.filter((one) => one.status === status)
  const [queued, skipped, refused] = [having('queued'), having('skipped'), having('refused')]

  if (failed.length === 0) print(messages.none_failed)
  else print(messages.queued(count(queued.length, 'task')))
  for (const { task } of queued) print(messages.task_of_list(task.id, visible(task.name)))
  for (const { task, reason } of [...skipped, ...refused])
    print(messages.skipped(task.id, visible(task.name), visible(reason)))

  const exits: number[] = refused.length > 0 ? [EXIT.failed] : []
  const runs: unknown[] = []
  if (flags.wait)
    for (const { task } of queued) {
      const id = await newestRunOf(client, task)
      const collecting = { ...context, printJson: (run: unknown) => void runs.push(run) }
      exits.push(await followRun(collecting, id, { timeout, strict: flags.strict === true }))
    }
  printJson({
    queued: queued.map(({ task }) => named(task)),
    skipped: [...skipped, ...refused].map(({ task, status, reason }) => ({ ...named(task), status, reason })),
    ...(flags.wait ? { runs } : {}),
  })
  return BY_SEVERITY.find((exit) => exits.includes(exit)) ?? EXIT.ok
}

const named = ({ id, category, name }: ListedTask) => ({ id, category, name })

async function startAll(context: Context, failed: readonly ListedTask[]): Promise<Outcome[]> {
  const tasks = failed.filter(({ config_id }) => config_id === null)
  const outcomes: Outcome[] = []
  for (let from = 0; from < tasks.length; from += limits.bulk_tasks_max) {
    const some = tasks.slice(from, from + limits.bulk_tasks_max)
    const ids = some.map(({ id }) => id)
    const { results } = await context.client.call(tasksBulk.act, { body: { action: 'run', ids } })
    const byId = new Map(results.map((result) => [result.id, result]))
    outcomes.push(...some.map((task) => outcomeOf(task, byId.get(task.id))))
  }
  // Their inputs are queued before, so compiles wait for them.
  const configs = failed.filter(({ config_id }) => config_id !== null)
  return [...outcomes, ...(await Promise.all(configs.map((config) => startCompile(context, config))))]
}

function outcomeOf(task: ListedTask, result: BulkResult | undefined): Outcome {
  if (result?.status === 'done') return { task, status: 'queued', reason: '' }
  const status = result?.status === 'skipped' ? 'skipped' : 'refused'
  return { task, status, reason: result?.message ?? '' }
}

async function startCompile({ client }: Context, task: ListedTask): Promise<Outcome> {
  if (!task.is_active) return { task, status: 'skipped', reason: messages.inactive }
  try {
    await client.call(compiler.compile, { body: { config_id: task.config_id ?? 0 } })
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    if (!ENDED_BADLY.includes(error.code ?? '')) return { task, status: 'refused', reason: error.message }
  }
  return { task, status: 'queued', reason: '' }
}
