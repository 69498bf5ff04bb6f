import type * as z from 'zod/mini'
import type { Plan, PlanPage, Preview, plans } from '../../src/contract/plans/calls.ts'
import type { runs } from '../../src/contract/runs/calls.ts'
import { expect } from './app-test.ts'
import { heading, problem, type State, withAnswers } from './screen-states.ts'

const now = new Date().toISOString()

const run = (fields: Partial<z.infer<typeof runs.get.reply>> = {}): z.infer<typeof runs.get.reply> => ({
  id: 7,
  task_id: 1,
  task_name: 'Prices of the shop',
  category: 'sync',
  state: 'success',
  trigger: 'manual',
  triggered_by: 'ada@example.com',
  attempts: 1,
  redeliveries: 0,
  is_preview: true,
  queued_at: now,
  started_at: now,
  finished_at: now,
  duration_seconds: 4,
  rows: 1_200,
  requests: 3,
  warnings: [],
  message: 'Would change 12 cells.',
  error: null,
  receipt: null,
  phase: 'Reading the source',
  rows_total: null,
  restores: null,
  ...fields,
})

const plan = (fields: Partial<Plan> = {}): z.infer<typeof plans.get.reply> => ({
  hash: 'a'.repeat(64),
  task_id: 1,
  task_name: 'Prices of the shop',
  run_id: 7,
  created_at: now,
  expires_at: '2031-11-28T06:00:00.000Z',
  restores: null,
  state: 'open',
  applied_by: null,
  target: { title: '‘Shop’ in ‘Web shop’', spreadsheet_id: 'x', tab_id: '0', start_row: 1 },
  tabs: [],
  summary: {
    is_first: false,
    rows: { former: 1_200, wanted: 1_100, removed: 812, changed: 5, added: 3, moved: 40 },
    cells: { changed: 9, emptied: 4, written: 600 },
    headers: [],
    emptied_columns: [],
    formats: 2,
    format_changes: [
      { column: 'C', header: 'Price', old: 'automatic', new: '#,##0.00 €' },
      { column: 'D', header: 'Since', old: null, new: 'yyyy-mm-dd' },
    ],
    unowned: null,
    beside: null,
    requests: 4,
    seconds: 12,
    lines: [
      { level: 'danger', text: '812 of 1,200 rows removed' },
      { level: 'danger', text: '4 cells emptied, in Price' },
      { level: 'danger', text: 'Headers changed: B ‘Name’ to ‘Title’' },
      { level: 'change', text: '9 cells changed, in 5 rows' },
      { level: 'change', text: '3 rows added' },
      { level: 'change', text: '40 rows only moved' },
      {
        level: 'change',
        text: 'Number formats of 2 columns changed: Price automatic to #,##0.00 €, Since to yyyy-mm-dd',
      },
      { level: 'note', text: 'About 4 requests and 12 seconds' },
    ],
  },
  ...fields,
})

const page: PlanPage = {
  columns: [
    { column: 'A', old_header: 'SKU', new_header: 'SKU' },
    { column: 'B', old_header: 'Name', new_header: 'Title' },
    { column: 'C', old_header: 'Price', new_header: 'Price' },
  ],
  rows: [
    {
      position: 1,
      tab: null,
      kind: 'removed',
      old_row: 2,
      new_row: null,
      old_cells: ['007', 'Gone', 1.5],
      new_cells: [],
    },
    {
      position: 2,
      tab: null,
      kind: 'changed',
      old_row: 3,
      new_row: 2,
      old_cells: ['008', 'Tea', 2],
      new_cells: ['008', 'Tea'],
    },
    {
      position: 3,
      tab: null,
      kind: 'added',
      old_row: null,
      new_row: 3,
      old_cells: [],
      new_cells: ['009', 'Coffee with a long name', 4],
    },
    {
      position: 4,
      tab: null,
      kind: 'moved',
      old_row: 4,
      new_row: 5,
      old_cells: ['010', 'Milk', 3],
      new_cells: ['010', 'Milk', 3],
    },
  ],
  total: 860,
  next: 4,
}

const preview = (run_id: number, task_name: string, fields: Partial<Preview> = {}): Preview => ({
  run_id,
  task: { id: run_id, name: task_name, sheets: null },
  task_name,
  state: 'success',
  error: null,
  plan: plan({ run_id, task_name, hash: String(run_id).padStart(64, '0') }),
  ...fields,
})

const summaryOf = (lines: Plan['summary']['lines'], cells: number): Plan['summary'] => ({
  ...plan().summary,
  rows: { former: 40, wanted: 40, removed: 0, changed: cells, added: 0, moved: 0 },
  cells: { changed: cells, emptied: 0, written: cells },
  format_changes: [],
  formats: 0,
  lines,
})

const previews: Preview[] = [
  preview(7, 'Prices of the shop'),
  preview(8, 'Stock', {
    plan: plan({
      run_id: 8,
      summary: summaryOf([{ level: 'change', text: '2 cells changed, in 2 rows' }], 2),
    }),
  }),
  preview(9, 'Suppliers', { state: 'failed', plan: null, error: '‘Suppliers’ is gone. Choose another tab.' }),
  preview(10, 'Returns', {
    plan: plan({
      run_id: 10,
      applied_by: { run_id: 31, state: 'running' },
      summary: summaryOf([{ level: 'change', text: '5 cells changed, in 3 rows' }], 5),
    }),
  }),
  preview(11, 'Countries', {
    plan: plan({ run_id: 11, summary: summaryOf([{ level: 'note', text: 'Nothing changes' }], 0) }),
  }),
]

const PATH = '/sync_tasks/1/plans/7'
const PLANS = '/plans?runs=7-11'
const answers = {
  '**/api/runs/7': run(),
  '**/api/runs/7/plan': plan(),
  '**/api/plans/*/rows?*': page,
}

/** The states of the screen with what a run would change, or has changed. */
export const planScreens: Record<string, Record<string, State>> = {
  '/sync_tasks/:id/plans/:run': {
    comparing: async (browser) => {
      const live = run({ state: 'running', finished_at: null, message: null })
      const path = `/auth/login?login_hint=ada@example.com&return_to=${encodeURIComponent(PATH)}`
      await withAnswers(browser, path, { ...answers, '**/api/runs/7': live })
      return browser.getByText('Reading the source', { exact: false })
    },
    'a preview that failed': async (browser) => {
      const failed = run({ state: 'failed', message: null, error: '‘Products’ is gone.' })
      // Such a run has no plan.
      await withAnswers(browser, PATH, { '**/api/runs/7': failed })
      return heading(browser, 'The preview did not end well')
    },
    'a restore in whose way edited cells are': async (browser) => {
      const version = { run_id: 5, side: 'former' as const, overwrite_edits: false }
      const failed = (edits_in_the_way: boolean, error: string) => ({
        '**/api/runs/7': run({
          state: 'failed',
          message: null,
          error,
          restores: { ...version, edits_in_the_way },
        }),
      })
      const cells = browser.getByRole('button', { name: 'Plan that also restores edited cells' })
      // Any other reason cannot be removed by restoring them.
      await withAnswers(browser, PATH, failed(false, 'The spreadsheet is gone.'))
      await expect(browser.getByRole('alert')).toContainText('The spreadsheet is gone.')
      await expect(cells).toHaveCount(0)
      await withAnswers(browser, PATH, failed(true, '1 cell edited since would be lost.'))
      return cells
    },
    'a run beyond a limit': async (browser) => {
      const error = 'Would remove 812 of 1,200 rows; the limit is 600. Nothing was written.'
      const failed = run({ state: 'failed', message: null, error })
      const beyond = plan()
      const text = 'Would remove 812 of 1,200 rows; the limit is 600.'
      beyond.summary.lines.unshift({ level: 'danger', text })
      await withAnswers(browser, PATH, { ...answers, '**/api/runs/7': failed, '**/api/runs/7/plan': beyond })
      return browser.getByText(text)
    },
    'failed to load': async (browser) => {
      await withAnswers(browser, PATH, { ...answers, '**/api/runs/7/plan': null })
      return problem(browser)
    },
    'a plan': async (browser) => {
      await withAnswers(browser, PATH, answers)
      return browser.getByRole('row', { name: /Coffee/ })
    },
    'a plan of several tabs': async (browser) => {
      const changes = ['changed', 'created', 'cleared', 'unchanged'] as const
      const tabs = changes.map((change, n) => ({
        ...{ value: `Shop ${n}`, sheet_name: `Prices of shop ${n}`, tab_id: String(n), change },
        ...{ rows: plan().summary.rows, cells_written: n },
      }))
      const rows = page.rows.map((row, n) => ({ ...row, tab: `Shop ${n % 3}` }))
      const several = { '**/api/runs/7/plan': plan({ tabs }), '**/api/plans/*/rows?*': { ...page, rows } }
      await withAnswers(browser, PATH, { ...answers, ...several })
      await expect(browser.getByRole('combobox', { name: 'Rows of the tab' })).toBeVisible()
      return browser.getByText('1 tab does not change.')
    },
    'a plan that restores a version and keeps edited cells': async (browser) => {
      const kept = { cells: 104, addresses: Array.from({ length: 100 }, (_, n) => `B${n + 2}`) }
      const restores = { ...{ run_id: 5, side: 'former' as const, kept }, deleted_cells: 3 }
      await withAnswers(browser, PATH, { ...answers, '**/api/runs/7/plan': plan({ restores }) })
      return browser.getByRole('button', { name: 'Restore them too' })
    },
    'an outdated plan': async (browser) => {
      await withAnswers(browser, PATH, { ...answers, '**/api/runs/7/plan': plan({ state: 'outdated' }) })
      return browser.getByText('The target has changed since', { exact: false })
    },
    'what a run changed': async (browser) => {
      const applied = plan({ state: 'applied', expires_at: null })
      await withAnswers(browser, PATH, { ...answers, '**/api/runs/7/plan': applied })
      return browser.getByText('A run has written these rows.')
    },
    'no row matches': async (browser) => {
      const none = { ...page, rows: [], total: 0, next: null }
      await withAnswers(browser, `${PATH}?q=nothing`, { ...answers, '**/api/plans/*/rows?*': none })
      return heading(browser, 'No row matches')
    },
  },
  '/plans': {
    'loading failed': async (browser) => {
      const path = `/auth/login?login_hint=ada@example.com&return_to=${encodeURIComponent(PLANS)}`
      await withAnswers(browser, path, { '**/api/previews?*': null })
      return problem(browser)
    },
    'no previews': async (browser) => {
      await withAnswers(browser, '/plans', {})
      return heading(browser, 'There are no previews here')
    },
    comparing: async (browser) => {
      const live = previews.map((one) => (one.run_id === 8 ? { ...one, state: 'running', plan: null } : one))
      await withAnswers(browser, PLANS, { '**/api/previews?*': live })
      return browser.getByText('4 of 5 previews ready')
    },
    'all previews': async (browser) => {
      const over = previews.filter(({ run_id }) => run_id !== 10)
      await withAnswers(browser, PLANS, { '**/api/previews?*': over })
      return browser.getByText('1 preview did not end well')
    },
    'before all are written': async (browser) => {
      await browser.getByRole('button', { name: 'Write all 2 plans' }).click()
      return browser.getByRole('dialog', { name: 'Write 2 plans?' })
    },
  },
}
