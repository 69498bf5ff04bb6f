import { exampleState } from '../fixtures/example-task.ts'
import { answers, at, config, record, sources } from './compiler-answers.ts'
import { button, enter, heading, inDialog, problem, type State, withAnswers } from './screen-states.ts'

const preview = {
  '**/api/compiler/preview': {
    fields: ['Price', 'Currency'],
    records: [record],
    filled_by: [[22, null]],
    sources: [
      { source_task_id: 21, name: 'Master', rows: 3 },
      { source_task_id: 22, name: 'Supplier', rows: 2 },
    ],
    warnings: ['The settings name the field ‘Weight’, which no source has.'],
  },
}

const quality = {
  '**/api/compiler/quality?*': {
    compiles: [
      { run_id: 1, compiled_at: at, total: 2, clean: 1, blanks: 1, errors: 1, duplicates: 0 },
      { run_id: 2, compiled_at: at, total: 1, clean: 0, blanks: 1, errors: 1, duplicates: 1 },
    ],
    fields: [{ name: 'Price', blanks: 3, filled_by: [{ ...sources[1], records: 7 }] }],
    checks: [
      {
        ...{ check_no: 0, sentence: 'Price must be a number.', records: 1, median: null },
        check: { kind: 'type', field: 'Price', severity: 'error', keep_out: 'none', type: 'number' },
      },
      {
        ...{ check_no: 1, sentence: 'Price must have a median within 20 % of the last compile.', records: 0 },
        median: { now: 12, before: 30, has_moved: true },
        check: { kind: 'median', field: 'Price', severity: 'warning', keep_out: 'none', percent: 20 },
      },
    ],
    since_last: {
      added: 1,
      changed: 2,
      gone: 3,
      moves: [{ source: sources[1], field: 'Price', sku: 'A-1', from: 10, to: 100, number_format: null }],
      moves_of: 1,
      causes: [
        { source: sources[1], field: 'Price', records: 2 },
        { source: null, field: 'Currency', records: 1 },
      ],
    },
  },
  '**/api/compiler/configs/1/sku_mappings': [{ source_task_id: 22, sku: 'b1', master_sku: 'A-1' }],
  '**/api/compiler/unmatched?*': {
    data: [
      {
        sku: 'a1',
        sources: [{ ...sources[1], mapped_to: null }],
        candidates: [
          { sku: 'A-1', same: true },
          { sku: 'A-2', same: false },
        ],
      },
      { sku: 'b1', sources: [{ ...sources[1], mapped_to: 'A-1' }], candidates: [] },
    ],
    total_count: 2,
    limit: 20,
    offset: 0,
    has_next: false,
    has_prev: false,
  },
}
const warned = exampleState({
  id: 11,
  state: 'warning',
  last_successful_run: at,
  last_triggered: { time: at, triggered_by: 'Ada' },
  run_warnings: [
    { id: 'w-1', message: '3 rows of ‘Supplier’ without a SKU were left out.', acknowledged: null },
    { id: 'w-2', message: 'No column ‘Cost’.', acknowledged: { by: 'ada@example.com', at } },
  ],
})
const loneColumns = {
  data: [
    {
      source_task_id: 22,
      column: 'Unit price',
      read_as: null,
      candidates: [{ field: 'Price', same: false }],
    },
    { source_task_id: 22, column: 'ccy', read_as: 'Currency', candidates: [] },
  ],
  sources: [{ source_task_id: 22, name: 'Supplier', has_sku: false, fields: ['SKU', 'Price', 'Currency'] }],
  total_count: 41,
  limit: 20,
  offset: 0,
  has_next: true,
  has_prev: false,
}
const unformatted = (value: string | number | null) => ({ value, number_format: null })
const changes = {
  '**/api/compiler/changes?*': {
    changes: [
      { ...{ kind: 'gone', sku: 'A-0', field: null, sources }, ...whole() },
      {
        ...{ kind: 'changed', sku: 'A-1', field: 'Price', sources: [sources[1]] },
        ...{ before: unformatted(10), after: unformatted('007') },
      },
      {
        ...{ kind: 'changed', sku: 'A-1', field: 'Description', sources: [] },
        ...{ before: unformatted('A pan of cast iron, '.repeat(20)), after: unformatted(null) },
      },
      { ...{ kind: 'added', sku: 'A-2', field: null, sources: [sources[0]] }, ...whole() },
    ],
    next: 100,
  },
}
function whole() {
  return { before: unformatted(null), after: unformatted(null) }
}
const waiting = {
  snapshot_id: 7,
  row_count: 990,
  reason:
    'This compile would change 812 and remove 3 of 1,200 records, more than 30%. The former records stay until someone accepts the new ones.',
  compiled_at: at,
}
const none = { '**/api/compiler/configs': [] }

/** States of the data compiler's screens, by route path. */
export const compilerScreens: Record<string, Record<string, State>> = {
  '/compiler': {
    'no configuration yet': async (page) => {
      await enter(page, '/')
      await withAnswers(page, '/compiler', none)
      return heading(page, 'No configuration yet')
    },
    'new configuration': async (page) => {
      await button(page, 'New Configuration').click()
      await inDialog(page, 'Add Configuration').click()
      return page.getByText('Check the 2 marked fields.')
    },
    'configurations that cannot be read': async (page) => {
      await withAnswers(page, '/compiler', { '**/api/compiler/configs': null })
      return problem(page)
    },
    configurations: async (page) => {
      await withAnswers(page, '/compiler', answers)
      return page.getByRole('table', { name: 'Configurations' })
    },
    'filters that no configuration matches': async (page) => {
      await withAnswers(page, '/compiler?q=nothing-like-it', answers)
      return heading(page, 'No configuration matches these filters')
    },
    'confirmation before a configuration is deleted': async (page) => {
      await withAnswers(page, '/compiler', answers)
      await button(page, 'Delete Catalogue').click()
      return inDialog(page, 'Delete')
    },
    editor: async (page) => {
      await page.keyboard.press('Escape')
      await button(page, 'Edit Catalogue').click()
      await page.getByText('Fields that move together').click()
      return page.getByRole('button', { name: 'Add group' })
    },
    'preview of a configuration': async (page) => {
      await withAnswers(page, '/compiler', { ...answers, ...preview })
      await button(page, 'Edit Catalogue').click()
      await button(page, 'Show preview').click()
      return page.getByRole('table', { name: 'First records' })
    },
    records: async (page) => {
      await withAnswers(page, '/compiler?tab=data&filled_by=22&field=Price', answers)
      return page.getByRole('table', { name: 'Compiled records' })
    },
    'one record': async (page) => {
      await button(page, 'A-1').click()
      return page.getByRole('list', { name: 'Fields' })
    },
    'confirmation before all records are deleted': async (page) => {
      await page.keyboard.press('Escape')
      await button(page, 'Clear All Data').click()
      return page.getByRole('textbox', { name: 'Type DELETE to confirm' })
    },
  },
  '/compiler/:id': {
    'no such configuration': async (page) => {
      await enter(page, '/')
      await withAnswers(page, '/compiler/9', answers)
      return heading(page, 'Configuration not found.')
    },
    'a configuration': async (page) => {
      await withAnswers(page, '/compiler/1', {
        ...answers,
        ...quality,
        '**/api/compiler/states': [warned],
        '**/api/compiler/lone_columns?*': loneColumns,
        '**/api/compiler/configs/1/logs?*': [],
        '**/api/runs/log_counts?*': { INFO: 0, SUCCESS: 0, WARNING: 0, ERROR: 0 },
        '**/api/compiler/configs/1/runs': { runs: [], next: null },
      })
      return button(page, 'Unit price is Price')
    },
    'a compile that needs approval': async (page) => {
      await withAnswers(page, '/compiler/1', {
        ...answers,
        ...quality,
        '**/api/compiler/configs': [{ ...config, waiting }],
        '**/api/compiler/configs/1/runs': { runs: [], next: null },
      })
      return page.getByText('A compile needs approval')
    },
    'other ways to compile': async (page) => {
      await button(page, 'Other ways to compile Catalogue').click()
      return page.getByRole('menuitem', { name: 'Add new SKUs only' })
    },
  },
  '/compiler/:id/changes': {
    'no such configuration': async (page) => {
      await enter(page, '/')
      await withAnswers(page, '/compiler/9/changes', answers)
      return heading(page, 'Configuration not found.')
    },
    'changes of the last compile': async (page) => {
      await withAnswers(page, '/compiler/1/changes', { ...answers, ...quality, ...changes })
      return page.getByRole('button', { name: 'Show more' })
    },
    'changes that wait for approval': async (page) => {
      await withAnswers(page, '/compiler/1/changes?waiting=true', {
        ...answers,
        ...quality,
        ...changes,
        '**/api/compiler/configs': [{ ...config, waiting }],
      })
      return page.getByRole('button', { name: 'Accept the records' })
    },
    'filters that no change matches': async (page) => {
      await withAnswers(page, '/compiler/1/changes?kind=added', {
        ...answers,
        ...quality,
        '**/api/compiler/changes?*': { changes: [], next: null },
      })
      return heading(page, 'No change matches')
    },
    'changes that cannot be read': async (page) => {
      await withAnswers(page, '/compiler/1/changes', {
        ...answers,
        ...quality,
        '**/api/compiler/changes?*': null,
      })
      return problem(page)
    },
  },
}
