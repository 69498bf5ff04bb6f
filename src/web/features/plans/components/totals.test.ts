import { expect, test } from 'vitest'
import type { Plan, PlanSummary, Preview } from '../../../../contract/plans/calls.ts'
import { applicable, inOrder, outcomeOf, totalLines } from './totals.ts'

const summary: PlanSummary = {
  is_first: false,
  rows: { former: 10, wanted: 10, removed: 0, changed: 0, added: 0, moved: 0 },
  cells: { changed: 0, emptied: 0, written: 0 },
  headers: [],
  emptied_columns: [],
  formats: 0,
  format_changes: [],
  unowned: null,
  beside: null,
  requests: 4,
  seconds: 2,
  lines: [{ level: 'note', text: 'Nothing changes' }],
}

const plan: Plan = {
  hash: 'a',
  task_id: 1,
  task_name: 'One',
  run_id: 1,
  created_at: '2026-01-01T00:00:00.000Z',
  expires_at: '2026-01-02T00:00:00.000Z',
  state: 'open',
  applied_by: null,
  restores: null,
  target: { title: 'T', spreadsheet_id: 'x', tab_id: '0', start_row: 1 },
  tabs: [],
  summary,
}

const preview = (run_id: number, of: Partial<PlanSummary> | null, fields: Partial<Plan> = {}): Preview => ({
  run_id,
  task: { id: run_id, name: `Task ${run_id}`, sheets: null },
  task_name: `Task ${run_id}`,
  state: of ? 'success' : 'failed',
  error: null,
  plan: of && { ...plan, run_id, ...fields, summary: { ...summary, ...of } },
})

const removing = preview(1, {
  rows: { ...summary.rows, removed: 3, changed: 1 },
  cells: { changed: 2, emptied: 0, written: 8 },
  lines: [{ level: 'danger', text: '3 of 10 rows removed' }],
})
const changing = preview(2, {
  rows: { ...summary.rows, changed: 5 },
  cells: { changed: 5, emptied: 0, written: 5 },
  lines: [{ level: 'change', text: '5 cells changed, in 5 rows' }],
})
const nothing = preview(3, {})
const failed = preview(4, null)
const live: Preview = { ...preview(5, null), state: 'running' }

test('failed previews come first, then those that lose data, change, are compared, and change nothing', () => {
  const all = [nothing, live, changing, failed, removing]
  expect(inOrder(all).map(outcomeOf)).toEqual(['failed', 'danger', 'change', 'live', 'nothing'])
})

test('the sum names rows and tasks, dangers first; tasks without changes cost nothing', () => {
  expect(totalLines([removing, changing, nothing, failed])).toEqual([
    { level: 'danger', text: '1 preview did not end well' },
    { level: 'danger', text: '3 rows removed, in 1 task' },
    { level: 'change', text: '7 cells changed, in 2 tasks' },
    { level: 'note', text: 'Nothing changes in 1 task' },
    { level: 'note', text: 'About 8 requests and 4 seconds' },
  ])
})

test('plans that are outdated, being written, refused or without changes are not written', () => {
  const { summary: changes } = changing.plan ?? plan
  const unowned = { kind: 'extra_columns' as const, cells: 2, columns: [] }
  const others = [
    preview(6, changes, { state: 'outdated' }),
    preview(7, changes, { applied_by: { run_id: 9, state: 'running' } }),
    preview(8, { ...changes, unowned }),
    nothing,
    failed,
  ]
  const again = preview(9, changes, { applied_by: { run_id: 9, state: 'failed' } })
  expect(applicable([changing, ...others, again])).toEqual([changing, again])
})
