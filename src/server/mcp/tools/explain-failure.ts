import { z } from 'zod'
import { allRuns } from '../../../contract/all-runs/calls.ts'
import { mcpMessages as messages } from '../../../contract/mcp/server-messages.ts'
import { pipeline } from '../../../contract/pipeline/calls.ts'
import { moment, own } from '../marked-text.ts'
import { ownershipOfTask } from '../ownership-of-task.ts'
import { runsOfTask } from '../runs-of-task.ts'
import { shownLine, shownRun, shownWait } from '../shown.ts'
import { defineTool, taskArguments } from '../tool.ts'

const RUNS = 5
const LINES = 20

export const explainFailure = defineTool({
  name: 'explain_failure',
  description: messages.explain_failure,
  input: z.strictObject(taskArguments()),
  run: async (task, call) => {
    const [last] = (await runsOfTask(call, task, 1)).runs
    if (last === undefined || last.task_id === null) return { last_run: null }
    const { id, task_id } = last
    const [report, before, well, { tasks: attention }, ownership] = await Promise.all([
      call(allRuns.report, { params: { id } }),
      call(allRuns.list, { query: { task_id, limit: RUNS, cursor: id } }),
      call(allRuns.list, { query: { task_id, limit: 1, state: 'success,warning' } }),
      call(pipeline.attention, { query: { task_id } }),
      ownershipOfTask(call, task),
    ])
    const failure = attention.find(({ kind }) => kind === 'failed')
    const same = failure && (await call(pipeline.attention, { query: { cause: failure.cause, limit: 1 } }))
    return {
      task: ownership,
      last_run: shownRun(report.run),
      attempts: last.attempts,
      warnings: last.warnings,
      log: report.log.slice(0, LINES).toReversed().map(shownLine),
      waits_for: shownWait(report.waits_for),
      place_in_line: report.place,
      needs_attention: attention.map(({ kind, reason, at }) => ({
        kind: own(kind),
        reason,
        since: moment(at),
      })),
      other_tasks_with_this_error: same === undefined ? 0 : same.total - 1,
      last_success: moment(well.runs[0]?.finished_at ?? null),
      runs_before: before.runs.map(shownRun),
    }
  },
})
