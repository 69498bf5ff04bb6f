import type { DayOfRuns, PipelineState, Stage } from '../../src/contract/pipeline/calls.ts'
import { expect } from './app-test.ts'
import { button, enter, heading, inDialog, problem, type State, withAnswers } from './screen-states.ts'

const at = '2026-01-31T04:00:00.000Z'
const task = (id: number, category: 'source' | 'compiler' | 'sync', name: string) => ({
  id,
  category,
  name,
  type: category === 'compiler' ? null : 'Nightly',
  config_id: category === 'compiler' ? id : null,
})
const live = { started_at: at, progress: null, waits_for: null, place: null }
type Answer = PipelineState & { past_days: DayOfRuns[] }
type Upcoming = PipelineState['next'][number]
const stage: Stage = {
  ...{ total: 9, active: 8, running: 0, waiting_for_quota: 0 },
  ...{ queued: 0, failed: 0, warnings: 0, stopped: 0, never_run: 0 },
}
const day = (n: number) => ({
  day: `2026-01-${String(n).padStart(2, '0')}`,
  success: 20 + n,
  warning: n % 4,
  failed: n % 3,
  stopped: n % 5 === 0 ? 1 : 0,
})
const next = (
  schedule: Upcoming['schedule'],
  category: Upcoming['category'],
  tasks: number,
  name: string,
): Upcoming => ({
  ...{ at, schedule, category, tasks, name },
})
const well: Answer = {
  stages: { source: stage, compiler: { ...stage, total: 1, active: 1 }, sync: stage },
  live: [],
  attention: [],
  attention_counts: { failed: 0, waiting: 0, missed: 0, behind: 0, warning: 0, stopped: 0 },
  attention_tasks: 0,
  next: [next('type', 'source', 8, 'Nightly'), next('task', 'sync', 1, 'Prices'), next('all', 'sync', 8, '')],
  source_schedule_on: true,
  quota: (['read', 'write'] as const).map((kind) => ({
    ...{ kind, used: 42, limit: 300 },
    account: { email: 'ada@example.com', used: 42, limit: 60 },
  })),
  today: day(14),
  past_days: Array.from({ length: 13 }, (_, n) => day(n + 1)),
}
const busy: Answer = {
  ...well,
  stages: {
    source: { ...stage, failed: 1, running: 2, queued: 1, never_run: 1 },
    compiler: { ...stage, total: 1, active: 1, warnings: 1 },
    sync: { ...stage, queued: 3, warnings: 2 },
  },
  live: [
    {
      ...live,
      task: task(1, 'source', 'Shop master'),
      state: 'running',
      progress: {
        phase: 'Reading',
        rows_done: 40_000,
        rows_total: 200_000,
        rows_per_second: 9000,
        seconds_left: 18,
      },
    },
    { ...live, task: task(2, 'compiler', 'Catalogue'), state: 'stopping' },
    {
      ...live,
      task: task(3, 'sync', 'Prices of the shop in the north'),
      state: 'queued',
      waits_for: { for: 'slot', type: 'Nightly', at_work: 1, slots: 1 },
      place: 2,
    },
  ],
  attention: (['failed', 'waiting', 'missed', 'behind', 'warning', 'stopped'] as const).map((kind, n) => ({
    kind,
    task: task(n + 4, n === 3 ? 'compiler' : 'sync', `Prices ${n}`),
    reason:
      kind === 'behind'
        ? 'Shop master'
        : kind === 'stopped'
          ? 'bob@example.com'
          : 'The spreadsheet cannot be reached with this account.',
    at,
  })),
  attention_counts: { failed: 1, waiting: 1, missed: 1, behind: 1, warning: 3, stopped: 1 },
  attention_tasks: 8,
  source_schedule_on: false,
}
const empty = { ...stage, total: 0, active: 0 }
const none: Answer = {
  ...well,
  stages: { source: empty, compiler: empty, sync: empty },
  next: [],
  today: { ...day(14), success: 0, warning: 0, failed: 0, stopped: 0 },
  past_days: [],
}
/** Without the event stream, which would send the real state. */
const answers = (pipeline: object | null) => ({ '**/api/pipeline': pipeline, '**/api/events?*': null })

/** The states of the home page; the first one is signed out. */
export const homeStates: Record<string, State> = {
  'after a sign-in that did not end well': async (page) => {
    await page.goto('/?sign_in_error=expired')
    return page.getByRole('alert')
  },
  'login dialog': async (page) => {
    await button(page, 'Sign in').click()
    return page.getByRole('dialog')
  },
  'signed in': async (page) => {
    await enter(page, '/')
    return button(page, /account of/)
  },
  'all well': async (page) => {
    await withAnswers(page, '/', answers(well))
    return heading(page, 'Runs per day')
  },
  'failures, runs, and what comes': async (page) => {
    await withAnswers(page, '/', answers(busy))
    return heading(page, '8 tasks need attention')
  },
  'question before everything runs': async (page) => {
    await button(page, 'Run pipeline').click()
    return inDialog(page, 'Run pipeline')
  },
  'nothing there yet': async (page) => {
    await withAnswers(page, '/', answers(none))
    return page.getByRole('region', { name: 'Pipeline', exact: true })
  },
  'a pipeline that cannot be read': async (page) => {
    await withAnswers(page, '/', answers(null))
    return problem(page)
  },
  'parts that are down': async (page) => {
    const next_start = '2026-01-31T04:00:00.000Z'
    await withAnswers(page, '/', {
      ...answers(well),
      '**/api/system_status': {
        outages: [
          { part: 'worker', none_left: true, reason: 'exit code 1', next_start },
          { part: 'scheduler', none_left: true, reason: null, next_start: null },
        ],
      },
    })
    await expect(page.getByRole('heading', { name: 'Parts of Rowferry are down' })).toBeVisible()
    return page.getByRole('status').getByText('No scheduler is running.')
  },
  'menu of the account': async (page) => {
    await button(page, /account of/).click()
    return page.getByRole('menuitem', { name: 'Sign out' })
  },
  'menu of a phone': async (page) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.keyboard.press('Escape')
    await button(page, 'Open menu').click()
    return button(page, 'Close menu')
  },
}
