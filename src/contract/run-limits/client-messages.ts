import { formatted } from '../counted.ts'

/** Texts of limits on pages. */
export const limitMessages = {
  title: 'Limits',
  hint: 'A run beyond one of these limits ends as Failed before it writes. Blank: the default under Settings.',
  labels: {
    removed_percent: 'Rows removed (%)',
    emptied_percent: 'Cells of a column emptied (%)',
    from_rows: 'From this many rows on',
    changed_cells: 'Cells changed',
    required_columns: 'Columns that must exist',
    filled_columns: 'Columns that must not be blank',
    unique_column: 'Column without a repeated value',
  },
  hints: {
    removed_percent: 'At most this share of the target’s rows',
    emptied_percent: 'At most this share of its filled cells',
    from_rows: 'Smaller tables and columns have no such limit',
    changed_cells: 'At most, in rows that stay',
    columns: 'One header name a line',
    unique_column: 'A header name, such as SKU',
  },
  no_limit: 'No limit',
  by_default: (value: number | null) =>
    value === null ? 'Default: no limit' : `Default: ${formatted(value)}`,
  set: (count: number) => (count === 0 ? 'as under Settings' : `${formatted(count)} set`),

  // settings
  defaults_hint:
    'For sync tasks that set no limit of their own. A run beyond one ends as Failed before it writes, and can be approved. First runs onto a blank target have no limits.',
  save: 'Save limits',
  saved: 'Limits saved',
  save_failed: 'Failed to save the limits',
  load_failed: 'Failed to load the limits.',
  loading: 'Loading the limits',

  // page of a task
  beyond: 'Beyond its limits',
  beside: 'Cells would lose their rows',
  run_once: 'Run it once',
  run_once_hint: 'Writes exactly the rows of this plan',
  change: 'Change the limit',
  switch_to_update: 'Switch to update',
  switch_hint: 'Writes each row where it stands in the target, so that cells beside it stay beside it',
  see_plan: 'See what would change',
} as const
