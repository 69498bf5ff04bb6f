import { exampleState } from '../fixtures/example-task.ts'
import { button, enter, heading, inDialog, problem, type State, withAnswers } from './screen-states.ts'

const at = '2026-01-31T04:00:00.000Z'
const config = {
  id: 1,
  task_id: 11,
  name: 'Catalogue',
  description: 'What the shop sells',
  is_active: true,
  source_task_ids: [21, 22],
  source_names: ['Master', 'Supplier'],
  master_source_id: 21,
  required_fields: ['Price'],
  field_groups: [['Price', 'Currency']],
  field_priorities: [],
  column_names: [],
  task_type_name: null,
  task_type_schedule: null,
  created_at: at,
  updated_at: at,
}
const record = {
  sku: 'A-1',
  source_count: 2,
  has_blanks: true,
  has_errors: true,
  is_duplicate: true,
  validation_notes: 'Blank: Currency.',
  number_formats: {},
  compiler_config_id: 1,
  created_at: at,
  updated_at: at,
  Price: '#N/A',
  Currency: null,
}
const sources = [
  { source_task_id: 21, name: 'Master' },
  { source_task_id: 22, name: 'Supplier' },
]
const answers = {
  '**/api/compiler/configs': [config],
  '**/api/compiler/states': [],
  '**/api/compiler/stats?*': {
    total_records: 1,
    clean_records: 0,
    records_with_blanks: 1,
    records_with_errors: 1,
    duplicate_records: 1,
    compiled_at: at,
  },
  '**/api/compiler/data?*': {
    data: [record],
    total_count: 1,
    limit: 20,
    offset: 0,
    has_next: false,
    has_prev: false,
  },
  '**/api/compiler/data/A-1?*': {
    record,
    completeness: { filled: 1, of: 2 },
    fields: [
      {
        name: 'Price',
        value: '#N/A',
        number_format: null,
        required: true,
        error: true,
        source: sources[0],
        others: [
          { ...sources[1], value: 12.5, number_format: { type: 'CURRENCY', pattern: '[$€]#,##0.00' } },
        ],
      },
      {
        name: 'Currency',
        value: null,
        number_format: null,
        required: false,
        error: false,
        source: null,
        others: [],
      },
    ],
    flags: [{ flag: 'has_errors', explanation: 'Spreadsheet errors: Price.' }],
    sources_gone: [sources[1]],
  },
}

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
    since_last: {
      added: 1,
      changed: 2,
      gone: 3,
      moves: [{ source: sources[1], field: 'Price', sku: 'A-1', from: 10, to: 100, number_format: null }],
      moves_of: 1,
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
const none = { '**/api/compiler/configs': [] }

/** The screens of the data compiler by their path in the router, with the states that they can be seen in. */
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
    'question before a configuration goes': async (page) => {
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
    'question before all records go': async (page) => {
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
        '**/api/compiler/configs/1/logs': [],
        '**/api/compiler/configs/1/runs': { runs: [], next: null },
      })
      return button(page, 'Unit price is Price')
    },
    'other ways to compile': async (page) => {
      await button(page, 'Other ways to compile Catalogue').click()
      return page.getByRole('menuitem', { name: 'Add new SKUs only' })
    },
  },
}
