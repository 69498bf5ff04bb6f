/** When everything was compiled and created. */
export const at = '2026-01-31T04:00:00.000Z'
/** A configuration. */
export const config = {
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
  approval_percent: 30,
  stale_days: null,
  waiting: null,
  field_checks: [],
  field_rules: [],
  owner: null,
  notes: '',
  tags: [],
  has_notes: false,
  task_type_name: null,
  task_type_schedule: null,
  created_at: at,
  updated_at: at,
}
/** A record with an error and a blank. */
export const record = {
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
/** Its sources. */
export const sources = [
  { source_task_id: 21, name: 'Master' },
  { source_task_id: 22, name: 'Supplier' },
]
/** An override whose source has changed. */
export const changedOverride = {
  ...{ id: 7, sku: 'A-1', field: 'Price', value: '#N/A', reason: 'Agreed by phone', ends_on: '2999-12-31' },
  ...{ state: 'review', found: 'applied', author: 'ada@example.com', created_at: '2026-05-01T10:00:00.000Z' },
  ...{ batch: 3, end_reason: null, ended_at: null, ended_by: null },
  note: 'Changed since in “Shop”: keep the override or drop it.',
  changes: [{ name: 'Shop', from: 12, to: 13 }],
}

/** What the server answers about a configuration with one record. */
export const answers = {
  '**/api/tasks/*/changes*': { changes: [], next: null },
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
        failures: ['Price must be a number.'],
        repaired: null,
        raw: { ...sources[0], value: 'about 12', number_format: null },
        override: changedOverride,
        live_override: changedOverride,
        decision: null,
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
        failures: [],
        repaired: null,
        raw: null,
        override: null,
        live_override: null,
        decision: null,
        source: null,
        others: [],
      },
    ],
    targets: [{ task_id: 31, name: 'Web shop', missing: ['Currency'] }],
    flags: [{ flag: 'has_errors', explanation: 'Spreadsheet errors: Price.' }],
    sources_gone: [sources[1]],
  },
  '**/api/compiler/completeness*': [
    {
      ...{
        compiler_config_id: 1,
        config_name: 'Catalogue',
        task_id: 31,
        name: 'Web shop',
        only_complete: true,
      },
      ...{ fields: ['Price', 'Currency'], records: 1200, complete: 988 },
      missing: [{ field: 'Currency', records: 212 }],
      trend: [
        { run_id: 1, compiled_at: at, records: 1200, complete: 900 },
        { run_id: 2, compiled_at: at, records: 1200, complete: 988 },
      ],
    },
  ],
}
