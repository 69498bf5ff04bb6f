import type * as z from 'zod/mini'
import type { Approval, approvals } from '../../src/contract/approvals/calls.ts'
import type { DayOfRuns, PipelineState, Stage } from '../../src/contract/pipeline/calls.ts'
import { expect } from './app-test.ts'
import {
  button,
  copied,
  enter,
  heading,
  inDialog,
  problem,
  type State,
  withAnswers,
} from './screen-states.ts'

const at = '2026-01-31T04:00:00.000Z'
const task = (id: number, category: 'source' | 'compiler' | 'sync', name: string) => ({
  id,
  category,
  name,
  type: category === 'compiler' ? null : 'Nightly',
  config_id: category === 'compiler' ? id : null,
})
const live = { started_at: at, progress: null, waits_for: null, place: null }
const claim = { by: { email: 'bob@example.com', name: 'Bob' }, at }
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
  attention_counts: { failed: 0, waiting: 0, missed: 0, behind: 0, review: 0, warning: 0, stopped: 0 },
  attention_tasks: 0,
  marked: { acknowledged: 0, snoozed: 0 },
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
  attention: (['failed', 'waiting', 'missed', 'behind', 'warning', 'stopped', 'review'] as const).map(
    (kind, n) => {
      const reason =
        kind === 'behind'
          ? 'Shop master'
          : kind === 'stopped'
            ? 'bob@example.com'
            : kind === 'review'
              ? '5'
              : 'The spreadsheet cannot be reached with this account.'
      const of = (place: number) => ({
        ...{ kind, cause: `cause ${n}`, reason, at, mark: null },
        task: task(
          n + 4 + 10 * place,
          n === 3 || kind === 'review' ? 'compiler' : 'sync',
          `Prices ${n}${place ? ` ${place}` : ''}`,
        ),
        claim: place === 1 ? claim : null,
      })
      const tasks = Array.from({ length: kind === 'warning' ? 3 : 1 }, (_, place) => of(place))
      const claims = tasks.length > 1 ? [{ ...claim, count: 1 }] : []
      return { kind, cause: `cause ${n}`, reason, at, count: tasks.length, claims, tasks }
    },
  ),
  attention_counts: { failed: 1, waiting: 1, missed: 1, behind: 1, review: 1, warning: 3, stopped: 1 },
  attention_tasks: 9,
  marked: { acknowledged: 3, snoozed: 2 },
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
const marks = [
  { kind: 'acknowledged' as const, until: null },
  { kind: 'snoozed' as const, until: at },
]
const marked = marks.map((mark, n) => ({
  ...{ kind: 'failed', cause: `cause ${n}`, reason: 'The spreadsheet cannot be reached.', at, claim: null },
  task: task(60 + n, 'sync', `Known ${n}`),
  mark: { ...mark, by: claim.by, at },
}))
const news = {
  since: at,
  failed: {
    count: 12,
    causes: [
      {
        ...{ cause: 'a', count: 12, reason: 'The spreadsheet cannot be reached with this account.' },
        tasks: [task(70, 'sync', 'Prices of the north'), task(71, 'source', 'Stock')],
      },
    ],
  },
  recovered: { count: 1, tasks: [task(72, 'sync', 'Prices of the south')] },
  changes: [
    { by: claim.by, kind: 'changed', object_type: 'sync_task', count: 480, names: ['Prices 1', 'Prices 2'] },
    { by: claim.by, kind: 'deleted', object_type: 'connection', count: 1, names: [] },
  ],
}
const approval = (n: number, fields: Partial<Approval>): Approval => ({
  ...{ kind: 'run_beyond_limit', version: `v${n}`, run_id: n, at, only_by: null },
  task: task(80 + n, fields.kind === 'ingest_below_minimum' ? 'source' : 'sync', `Stock of the shop ${n}`),
  reason: 'Would remove 812 of 1,200 rows; the limit is 600. Nothing was written.',
  ...fields,
})
const waiting: z.output<typeof approvals.list.reply> = {
  approvals: [
    approval(1, {}),
    approval(2, {
      kind: 'ingest_below_minimum',
      reason: '‘Products’ in ‘Catalogue’ has 5 rows, fewer than 50% of the 30 current ones.',
    }),
    approval(4, {
      kind: 'compile_beyond_limit',
      task: { ...task(84, 'compiler', 'Catalogue'), config_id: 1 },
      reason: 'This compile would change 812 and remove 3 of 1,200 records, more than 25%.',
    }),
    approval(3, { kind: 'unowned_cells', only_by: 'bob@example.com', reason: '12 cells in D and E.' }),
  ],
  total: 5,
  decisions: [
    {
      ...{ id: 1, task: task(90, 'sync', 'Prices'), kind: 'run_beyond_limit', is_approved: false },
      ...{ reason: 'Would remove 25 of 30 rows; the limit is 15.', by: 'bob@example.com', at },
    },
  ],
}
const visit = (previous_ended_at: string | null) => ({ started_at: at, previous_ended_at })
/** Mocked replies. The event stream, which would send the real state, is blocked. */
const answers = (pipeline: object | null) => ({ '**/api/pipeline': pipeline, '**/api/events?*': null })

/** States of the home page; the first one is signed out. */
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
  'result of the demo': async (page) => {
    const { id } = await copied(page)
    await page.evaluate(
      (text) => localStorage.setItem('rowferry.demo', text),
      JSON.stringify({ sync_task_id: id, config_id: 1 }),
    )
    await withAnswers(page, '/', answers(well))
    return page.getByRole('link', { name: 'See the result' })
  },
  'failures, runs, and what comes': async (page) => {
    await withAnswers(page, '/', answers(busy))
    return heading(page, 'Needs attention')
  },
  'a cause with its tasks': async (page) => {
    await withAnswers(page, '/', {
      ...answers(busy),
      '**/api/pipeline/attention?cause=*': { tasks: busy.attention[4]?.tasks ?? [], total: 3 },
    })
    await button(page, 'All 3 tasks').click()
    return button(page, 'Snooze: Prices 4 2')
  },
  'acknowledged and snoozed failures': async (page) => {
    await withAnswers(page, '/', {
      ...answers(busy),
      '**/api/pipeline/attention?marked=*': { tasks: marked, total: 2 },
    })
    await button(page, '3 acknowledged, 2 snoozed').click()
    return button(page, 'List again: Known 1')
  },
  'times to snooze until': async (page) => {
    await button(page, /^Snooze: Prices 0/).click()
    return page.getByRole('menuitem', { name: 'Tomorrow 08:00' })
  },
  'another time to snooze until': async (page) => {
    await page.getByRole('menuitem', { name: 'Another time…' }).click()
    return inDialog(page, 'Snooze')
  },
  'news since the last visit': async (page) => {
    await withAnswers(page, '/', {
      ...answers(busy),
      '**/api/visits': visit(at),
      '**/api/visits/news?*': news,
    })
    const region = page.getByRole('region', { name: 'Since your last visit' })
    await region.getByText('480 sync tasks').waitFor()
    return region.getByRole('link', { name: 'and 10 more' })
  },
  'no news since the last visit': async (page) => {
    await withAnswers(page, '/', {
      ...answers(well),
      '**/api/visits': visit(at),
      '**/api/visits/news?*': {
        ...{ since: at, failed: { count: 0, causes: [] }, recovered: { count: 0, tasks: [] } },
        changes: [],
      },
    })
    return page.getByText('Nothing has failed, recovered or been changed.')
  },
  'what needs an approval': async (page) => {
    await withAnswers(page, '/', { ...answers(busy), '**/api/approvals': waiting })
    await page.getByText('Last decisions').click()
    return page.getByText(/Rejected by bob@example.com/)
  },
  'warnings without a failure': async (page) => {
    const attention = busy.attention.filter(({ kind }) => kind !== 'failed')
    const attention_counts = { ...busy.attention_counts, failed: 0 }
    await withAnswers(page, '/', answers({ ...busy, attention, attention_counts, attention_tasks: 7 }))
    return heading(page, '7 tasks need attention')
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
        missing_folders: [],
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
