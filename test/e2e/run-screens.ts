import type { Page } from '@playwright/test'
import type * as z from 'zod/mini'
import type { allRuns, ListedRun, TimelineRun } from '../../src/contract/all-runs/calls.ts'
import type { RunState } from '../../src/contract/runs/status.ts'
import { heading, problem, type State, withAnswers } from './screen-states.ts'

type Timeline = z.infer<typeof allRuns.timeline.reply>
type Report = z.infer<typeof allRuns.report.reply>

const MINUTE_MS = 60_000
const states: RunState[] = [
  'success',
  'success',
  'success',
  'warning',
  'success',
  'failed',
  'success',
  'stopped',
]
const ago = (minutes: number) => new Date(Date.now() - minutes * MINUTE_MS).toISOString()

const timed = (id: number, minutes: number): TimelineRun => ({
  id,
  task_id: (id % 40) + 1,
  task_name: `${['Prices', 'Stock', 'Order export'][id % 3]} of shop ${(id % 40) + 1}`,
  category: 'sync',
  state: states[id % states.length] ?? 'success',
  trigger: 'schedule',
  triggered_by: 'schedule, 04:00 EST',
  queued_at: ago(minutes),
  started_at: ago(minutes - 2),
  finished_at: ago(minutes - 7),
  task_type_id: (id % 5) + 1,
  user_id: null,
  inputs_until: id % 7 === 0 ? ago(minutes - 1) : null,
  waits: id % 4 === 0 ? [{ for: 'quota', from: ago(minutes - 3), to: ago(minutes - 5) }] : [],
})

const listed = (id: number, minutes: number, fields: Partial<ListedRun> = {}): ListedRun => ({
  ...timed(id, minutes),
  attempts: 1,
  redeliveries: 0,
  is_preview: false,
  duration_seconds: 300,
  rows: 20_000,
  requests: 9,
  warnings: [],
  message: 'The target holds 20,000 rows.',
  error: 'You have no edit access to "Target Warehouse".',
  receipt: null,
  task_type: `Nightly ${(id % 5) + 1}`,
  config_id: null,
  ...fields,
})

const types = [1, 2, 3, 4, 5].map((id) => ({
  id,
  name: `Nightly ${id}`,
  category: 'sync' as const,
  depends_on: id > 1 ? [id - 1] : [],
}))
const page = (runs: ListedRun[]) => ({ runs, next: null, searched_to: null })
const timeline = (runs: TimelineRun[]): Timeline => ({ runs, types, is_cut: false })
const quota = {
  limit: { account: 60, project: 300 },
  buckets: Array.from({ length: 700 }, (_, n) => ({
    at: ago(1400 - n * 2),
    reads: Math.round(120 + 110 * Math.sin(n / 20)),
    writes: Math.round(60 + 50 * Math.sin(n / 13)),
  })),
  accounts: [
    { account: 'ada@example.com', requests: 51_200, busiest: 60 },
    { account: 'warehouse@example.com', requests: 12_040, busiest: 41 },
  ],
}
const choices = {
  types: types.map(({ id, name, category }) => ({ id, name, category })),
  users: [{ id: 1, email: 'ada@example.com' }],
}
const report: Report = {
  run: listed(5, 90, {
    state: 'warning',
    warnings: ['3 cells with #N/A.'],
    started_at: ago(80),
    finished_at: ago(70),
    waits: [{ for: 'quota', from: ago(78), to: ago(75) }],
    receipt: {
      rows: 20_000,
      columns: 20,
      cells_changed: 7,
      reads: 6,
      writes: 3,
      mode: 'small',
      source_hash: '77ab12cd34ef5678',
      target_hash: '77ab12cd34ef5678',
      duration_ms: 600_000,
      account: 'ada@example.com',
    },
  }),
  waits_for: null,
  place: null,
  inputs: [{ run_id: 3, task_id: 3, task_name: 'Supplier prices', state: 'success', finished_at: ago(84) }],
  prerequisites: [],
  awaited_by: [
    {
      run_id: 9,
      task_id: 9,
      task_name: 'Stock of the shop in the north',
      sheets: { source_sheet_name: 'Stock', target_sheet_name: 'North' },
    },
  ],
  awaited_by_count: 4,
  log: (['WARNING', 'INFO', 'INFO', 'SUCCESS'] as const).map((level, n) => ({
    id: n + 1,
    level,
    message:
      ['3 cells with #N/A.', 'Writing 7 cells in one request.', 'Read 20,000 rows.', 'Queued.'][n] ?? '',
    timestamp: ago(80),
    formatted_timestamp: '2026-11-20 04:00:07 EST',
    run_id: 5,
  })),
}
const many = Array.from({ length: 10_000 }, (_, n) => timed(10_000 - n, 1 + (n * 1430) / 10_000))

const answers = (runs: ListedRun[], bars: readonly TimelineRun[] = runs) => ({
  '**/api/runs?*': page(runs),
  '**/api/runs/choices': choices,
  '**/api/runs/timeline?*': timeline([...bars]),
  '**/api/runs/quota?*': quota,
  '**/api/runs/5/report': report,
  '**/api/runs/log_counts?*': { INFO: 2, SUCCESS: 1, WARNING: 1, ERROR: 0 },
  '**/logs?*': report.log,
})
const chart = (browser: Page) => browser.getByRole('listbox', { name: 'Runs on a time axis' })

/** The states of the screen with the runs of all tasks. */
export const runScreens: Record<string, Record<string, State>> = {
  '/runs': {
    'no runs': async (browser) => {
      await withAnswers(browser, '/auth/login?login_hint=ada@example.com&return_to=%2Fruns', answers([]))
      return heading(browser, 'No runs yet')
    },
    loading: async (browser) => {
      await withAnswers(browser, '/', answers([]))
      await browser.route('**/api/runs?*', () => undefined)
      await browser.goto('/runs')
      return browser.getByRole('status', { name: 'Loading the runs' })
    },
    'failed to load': async (browser) => {
      await withAnswers(browser, '/runs', { ...answers([]), '**/api/runs?*': null })
      return problem(browser)
    },
    'one run': async (browser) => {
      await withAnswers(browser, '/runs', answers([listed(5, 90)]))
      return browser.getByRole('link', { name: 'Order export of shop 6' })
    },
    'many runs': async (browser) => {
      const runs = Array.from({ length: 60 }, (_, n) => listed(60 - n, 5 + n * 9))
      const live = listed(61, 2, { state: 'running', finished_at: null, message: null, error: null })
      await withAnswers(browser, '/runs', answers([live, ...runs]))
      return browser.getByRole('table', { name: 'Runs' })
    },
    'nothing matches': async (browser) => {
      await withAnswers(browser, '/runs?q=nothing&state=failed&time=between', answers([]))
      return heading(browser, 'No run matches the filters')
    },
    'the report of a run': async (browser) => {
      await withAnswers(browser, '/runs?run=5', answers([listed(5, 90)]))
      return browser.getByRole('dialog').getByText('Checksum of the target')
    },
    'a timeline without runs': async (browser) => {
      await withAnswers(browser, '/runs?view=timeline', answers([]))
      return heading(browser, 'No runs in this time')
    },
    'a timeline that fails to load': async (browser) => {
      await withAnswers(browser, '/runs?view=timeline', {
        ...answers([]),
        '**/api/runs/timeline?*': null,
        '**/api/runs/quota?*': null,
      })
      return problem(browser)
    },
    'a timeline of one run': async (browser) => {
      await withAnswers(browser, '/runs?view=timeline', answers([listed(5, 90)]))
      return chart(browser)
    },
    'a timeline of 10,000 runs': async (browser) => {
      await withAnswers(browser, '/runs?view=timeline', answers([], many))
      return chart(browser)
    },
    'a timeline with tasks': async (browser) => {
      await withAnswers(browser, '/runs?view=timeline', answers([], many.slice(0, 400)))
      await browser.getByRole('button', { name: 'Show all tasks' }).click()
      await chart(browser).focus()
      return chart(browser).getByRole('option')
    },
  },
}
