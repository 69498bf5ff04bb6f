import { formatted } from '../counted.ts'

const counted = (count: number, one: string, many = `${one}s`) =>
  `${formatted(count)} ${count === 1 ? one : many}`

const of = (count: number, total: number, one: string) => `${formatted(count)} of ${counted(total, one)}`

/** Texts of the server about previews and plans. */
export const planServerMessages = {
  preview_started: (name: string) => `Preview of ${name} queued.`,
  preview_live: (name: string) => `A preview of ${name} is already running.`,
  preview_goes_on: (name: string) => `The preview of ${name} is still running.`,
  preview_over: (name: string) => `The preview of ${name} is complete.`,
  preview_failed: (name: string) => `The preview of ${name} did not end well.`,

  previews_started: (count: number, skipped: number) =>
    `${counted(count, 'preview')} queued.${skipped === 0 ? '' : ` ${counted(skipped, 'task')} skipped.`}`,
  no_tasks: 'There is no active sync task to preview.',
  no_sync_task: 'No sync task has this id.',
  plans_applied: (count: number, refused: number) =>
    `${counted(count, 'run')} queued.${refused === 0 ? '' : ` ${counted(refused, 'plan')} refused.`}`,
  nothing_applied: 'No run was queued: every plan was refused.',

  plan_not_found: 'There is no plan with this hash. Plans are kept for 24 hours, at most ten per task.',
  plan_of_other_task: 'This plan is of another task.',
  plan_expired: 'This plan has expired. Make a new preview.',
  plan_applied: 'This plan was written already. Make a new preview.',
  plan_live: 'The task is already running. Apply the plan when that run is over.',
  plan_outdated: 'The plan is outdated. Nothing was written. Make a new preview.',
  /** `keys`: of the first of these rows. */
  plan_rows_left: (
    title: string,
    { keys, rows, isVersion }: { keys: readonly string[]; rows: number; isVersion: boolean },
  ) =>
    [
      `${counted(rows, 'row')} of the plan ${rows === 1 ? 'was' : 'were'} cleared or got a repeated key in ${title} while it was written. Left out: ${keys.join(', ')}${rows > keys.length ? ` and ${formatted(rows - keys.length)} more` : ''}.`,
      isVersion
        ? 'Restore the version again to see what is left.'
        : `Run the task to bring ${rows === 1 ? 'it' : 'them'} up to date.`,
    ].join(' '),
  plan_column_moved: (title: string, column: string) =>
    `The column ‘${column}’ of ${title} was moved while the plan was written. What the plan has not written yet is left out. Run the task to bring the target up to date.`,
  plan_rows_gone: 'The rows of this plan are no longer kept.',

  version_not_found: 'No run with this number has changed the target.',
  version_of_other_task: 'This version is of another task.',
  version_without_key: (title: string) =>
    `The rows of this version cannot be found in ${title}: a key column of the task is missing in the target or in the version. Nothing was written. Correct the header, or restore from the version history of the spreadsheet.`,
  version_gone: 'The rows of this version are no longer kept.',
  version_elsewhere: 'The target of the task was changed after this version. Choose a later version.',
  /** `addresses`: of the first of these cells. */
  columns_changed: (cells: number, addresses: readonly string[]) =>
    `The columns of the target have changed since that version, and ${counted(cells, 'cell')} edited since would be lost with columns that the version does not have: ${addresses.slice(0, 5).join(', ')}${cells > 5 ? ' and others' : ''}. Copy these cells elsewhere and clear them, or restore edited cells, too (‘overwrite_edits’).`,
  version_live: 'The task is running. Undo or restore when that run is over.',
  nothing_to_undo: 'There is nothing to undo: no change of the target is kept.',
  restore_started: (name: string, run: number) =>
    `Plan to restore the version of run ${run} of ${name} queued.`,
  undo_started: (name: string, run: number) => `Plan to undo run ${run} of ${name} queued.`,

  /** `cells`: their number and the first addresses. `who`: of `by`. */
  outdated: (count: number, cells: string, who: string, target = 'the target') =>
    `The plan is outdated: ${cells} of ${target} ${count === 1 ? 'differs' : 'differ'} from what the plan saw, changed by ${who}. Nothing was written. Make a new preview.`,
  outdated_formats: (who: string, target = 'the target') =>
    `The plan is outdated: ${target} is not as the plan saw it, changed by ${who}. Nothing was written. Make a new preview.`,
  outdated_settings:
    'The plan is outdated: the settings of the task were changed. Nothing was written. Make a new preview.',
  by: { run: (id: number) => `run ${id}`, editor: 'another editor' },

  /** Title of the tabs of a split task. */
  tabs_of: (tabs: number, spreadsheet: string) => `${counted(tabs, 'tab')} in ‘${spreadsheet}’`,

  /** Message of a preview's run. */
  nothing: (target: string) => `Nothing would change: ${target} already holds these rows.`,
  would_change: (target: string, cells: number) =>
    `Would change ${counted(cells, 'cell')} of ${target}. Nothing was written.`,

  format: { automatic: 'automatic', several: 'several formats' },
  /** What a plan that restores a version says besides. */
  restores: {
    kept: (cells: number, addresses: string) => {
      const [were, they] = cells === 1 ? ['was', 'it is'] : ['were', 'they are']
      return `${counted(cells, 'cell')} ${were} edited since; ${they} kept: ${addresses}`
    },
    deleted: (cells: number) => `Rows with ${counted(cells, 'cell')} were deleted since; they stay deleted`,
    formulas: (count: number) => `${counted(count, 'formula')} written back as formulas`,
    formulas_unknown: 'It is not known which cells were formulas; they come back as text',
    left_out: 'Rich text, smart chips and results that formulas fill into other cells do not come back',
  },

  lines: {
    removed: (count: number, total: number) => `${of(count, total, 'row')} removed`,
    emptied: (count: number, columns: string) => `${counted(count, 'cell')} emptied, in ${columns}`,
    headers_changed: (names: string) => `Headers changed: ${names}`,
    columns_removed: (names: string) => `Columns removed: ${names}`,
    columns_added: (names: string) => `Columns added: ${names}`,
    changed: (cells: number, rows: number) => `${counted(cells, 'cell')} changed, in ${counted(rows, 'row')}`,
    added: (count: number) => `${counted(count, 'row')} added`,
    moved: (count: number) => `${counted(count, 'row')} only moved`,
    unowned: (cells: number, columns: string) =>
      `${counted(cells, 'cell')} overwritten that the task does not own, in ${columns}. A run is refused until the owner of its account accepts that on the task’s page`,
    beside: (cells: number, rows: number, columns: string) =>
      `${counted(cells, 'cell')} beside ${counted(rows, 'row')} would end up beside another row, in ${columns}`,
    tabs_cleared: (count: number, names: string) =>
      count === 1
        ? `The tab ${names} is emptied, because no row has its value any more`
        : `${counted(count, 'tab')} are emptied, because no row has their values any more: ${names}`,
    tabs_emptied: (count: number, names: string) =>
      count === 1 ? `The tab ${names} is emptied` : `${counted(count, 'tab')} are emptied: ${names}`,
    tabs_created: (count: number, names: string) =>
      count === 1 ? `The tab ${names} is created` : `${counted(count, 'tab')} are created: ${names}`,
    tabs_kept: (count: number, names: string) =>
      count === 1
        ? `The tab ${names} stays as it is, although no row has its value any more`
        : `${counted(count, 'tab')} stay as they are, although no row has their values any more: ${names}`,
    formats: (count: number, columns: string) =>
      `Number formats of ${counted(count, 'column')} changed: ${columns}`,
    format: (column: string, old: string | null, now: string) =>
      old === null ? `${column} to ${now}` : `${column} ${old} to ${now}`,
    first: (rows: number, columns: number) =>
      `The target is empty: ${counted(rows, 'row')} and ${counted(columns, 'column')} are written`,
    pending: 'An earlier run was interrupted while it wrote. Its last change may still arrive.',
    cost: (requests: number, seconds: number) =>
      `About ${counted(requests, 'request')} and ${counted(Math.max(1, Math.round(seconds)), 'second')}`,
    nothing: 'Nothing changes',
    more: (count: number) => `and ${counted(count, 'more line')}; the rows below show everything`,
  },
} as const
