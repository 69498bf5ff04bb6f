import { z } from 'zod'
import { allRuns } from '../../../contract/all-runs/calls.ts'
import { mcpMessages as messages } from '../../../contract/mcp/server-messages.ts'
import { runs } from '../../../contract/runs/calls.ts'
import { RunState } from '../../../contract/runs/status.ts'
import { LogLevel, type TaskCategory } from '../../../contract/tasks/schemas.ts'
import { NamedError } from '../../platform/errors.ts'
import type { CallAs } from '../call-as.ts'
import { moment, own } from '../marked-text.ts'
import { runsOfTask } from '../runs-of-task.ts'
import { shownLine, shownRun, shownWait } from '../shown.ts'
import { categoryArgument, defineTool, idArgument, limitArgument } from '../tool.ts'

export const listRuns = defineTool({
  name: 'list_runs',
  description: messages.list_runs,
  input: z.strictObject({
    category: categoryArgument().optional(),
    id: idArgument(messages.id).optional(),
    state: z.enum(RunState.options).describe(messages.state).optional(),
    search: z.string().max(100).describe(messages.search_runs).optional(),
    // The call checks them; the pattern of a time would be the longest part of the list of tools.
    from: z.string().max(40).describe(messages.from).optional(),
    to: z.string().max(40).describe(messages.to).optional(),
    limit: limitArgument(20, 100),
    cursor: idArgument(messages.cursor).optional(),
  }),
  run: async ({ id, category, ...query }, call) => {
    if (id !== undefined && category === undefined)
      throw new NamedError('invalid', { message: messages.id_without_category, field: 'category' })
    const of_task = id === undefined || category === undefined ? {} : await taskFilter(call, { id, category })
    if (of_task === null) return { runs: [], next_cursor: null }
    const page = await call(allRuns.list, { query: { ...query, category, ...of_task } })
    return { runs: page.runs.map(shownRun), next_cursor: page.next }
  },
})

/** Filters the runs of one task; null if it never ran. Throws CallRefused if there is no such task. */
async function taskFilter(call: CallAs, task: { category: TaskCategory; id: number }) {
  const { runs } = await runsOfTask(call, task, 1)
  const task_id = runs[0]?.task_id ?? null
  return task_id === null ? null : { task_id }
}

export const getRun = defineTool({
  name: 'get_run',
  description: messages.get_run,
  input: z.strictObject({
    run: idArgument(messages.run),
    wait_seconds: z.int().min(1).max(50).describe(messages.wait_seconds).optional(),
  }),
  run: async ({ run: id, wait_seconds }, call) => {
    const request = { params: { id } }
    const run = await call(runs.get, { ...request, query: { wait: wait_seconds } })
    const report = await call(allRuns.report, request)
    return {
      run: shownRun(report.run),
      phase: run.phase,
      rows_total: run.rows_total,
      attempts: run.attempts,
      message: run.message,
      warnings: run.warnings,
      receipt: run.receipt,
      waits_for: shownWait(report.waits_for),
      place_in_line: report.place,
      inputs: report.inputs.map(({ run_id, task_name, state, finished_at }) => ({
        run: run_id,
        task: task_name,
        state: own(state),
        finished_at: moment(finished_at),
      })),
      runs_that_wait_for_it: report.awaited_by_count,
    }
  },
})

export const runLogs = defineTool({
  name: 'run_logs',
  description: messages.run_logs,
  input: z.strictObject({
    run: idArgument(messages.run),
    level: z.enum(LogLevel.options).describe(messages.level).optional(),
    limit: limitArgument(50, 100),
  }),
  run: async ({ run: id, level, limit }, call) => {
    const { run, log } = await call(allRuns.report, { params: { id } })
    const lines = log.filter((line) => level === undefined || line.level === level)
    return {
      run: shownRun(run),
      lines: lines.slice(0, limit).toReversed().map(shownLine),
      earlier_lines: Math.max(0, lines.length - limit),
    }
  },
})
