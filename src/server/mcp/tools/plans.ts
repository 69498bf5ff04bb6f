import { z } from 'zod'
import { mcpMessages as messages } from '../../../contract/mcp/server-messages.ts'
import { type Plan, plans, RowChangeKind } from '../../../contract/plans/calls.ts'
import { moment, own, type Shown } from '../marked-text.ts'
import { defineTool, idArgument, limitArgument, offsetArgument } from '../tool.ts'

// More would fill the context of an agent.
const MAX_COLUMNS = 50

export const previewTask = defineTool({
  name: 'preview_task',
  description: messages.preview_task,
  right: 'run',
  input: z.strictObject({
    id: idArgument(messages.sync_id),
    wait_seconds: z.int().min(1).max(50).describe(messages.wait_seconds).optional(),
  }),
  run: async ({ id, wait_seconds }, call) => {
    const { run_id, run, plan, message } = await call(plans.preview, {
      params: { id },
      query: { wait: wait_seconds },
    })
    return { run: run_id, state: own(run?.state ?? 'queued'), message, plan: plan && shownPlan(plan) }
  },
})

export const getPlan = defineTool({
  name: 'get_plan',
  description: messages.get_plan,
  input: z.strictObject({
    run: idArgument(messages.run),
    kind: z.enum(RowChangeKind.options).describe(messages.row_kind).optional(),
    limit: limitArgument(20, 100),
    offset: offsetArgument(),
  }),
  run: async ({ run, kind, limit, offset }, call) => {
    const plan = await call(plans.ofRun, { params: { id: run } })
    const page = await call(plans.rows, {
      params: { hash: plan.hash },
      query: { kind, limit, after: offset },
    })
    return {
      ...shownPlan(plan),
      columns: page.columns
        .slice(0, MAX_COLUMNS)
        .map(({ column, old_header, new_header }) => ({ column, old_header, new_header })),
      rows: page.rows.map(({ tab, kind: change, old_row, new_row, old_cells, new_cells }) => ({
        tab,
        change: own(change),
        old_row,
        new_row,
        old_cells: old_cells.slice(0, MAX_COLUMNS),
        new_cells: new_cells.slice(0, MAX_COLUMNS),
      })),
      more_columns: Math.max(0, page.columns.length - MAX_COLUMNS),
      rows_in_all: page.total,
      next_offset: page.next,
    }
  },
})

/** A plan without its rows. Its sentences name headers and tabs, so they are foreign text. */
function shownPlan({
  task_id,
  task_name,
  run_id,
  created_at,
  expires_at,
  state,
  target,
  tabs,
  summary,
  restores,
}: Plan): {
  [key: string]: Shown
} {
  return {
    task: { category: own('sync'), id: task_id, name: task_name },
    run: run_id,
    state: own(state),
    created_at: moment(created_at),
    expires_at: moment(expires_at),
    target: target.title,
    restores_version_of_run: restores?.run_id,
    changes: summary.lines.map(({ level, text }) => ({ level: own(level), text })),
    changed_rows: { ...summary.rows },
    changed_cells: { ...summary.cells },
    tabs: tabs.map(({ value, sheet_name, change, cells_written }) => ({
      ...{ value, sheet_name, change: own(change), cells_written },
    })),
  }
}
