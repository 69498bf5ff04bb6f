import { formatted } from '../counted.ts'

/** A run and whether the target holds what it held before or after it. */
type Held = { run_id: number; side: 'former' | 'wanted' }

/** Texts of pages about versions of a target. */
export const versionMessages = {
  title: 'Versions',
  loading: 'Loading the versions',
  load_failed: 'Failed to load the versions.',
  empty: 'No change of the target is kept. Each run that changes it leaves a version here.',
  undo: 'Undo the last change',
  undo_hint: 'Makes a plan that you review. Nothing is written before you apply it.',
  restore: 'Restore',
  restore_of: (run: number) => `Restore the version of run ${run}`,
  failed: 'Failed to start the plan',
  run: (id: number) => `Run ${id}`,
  what: (run: number) => `What run ${run} changed`,
  rows: (count: number) => `${formatted(count)} ${count === 1 ? 'row' : 'rows'}`,
  cells: (count: number) => `${formatted(count)} ${count === 1 ? 'cell' : 'cells'} changed`,
  by: (trigger: string) => `started by ${trigger}`,
  size: (bytes: string) => `${bytes} in the database`,
  no_size: 'takes no space of its own',
  not_measured: 'space not measured yet',
  undid: (run: number) => `Undid run ${run}`,
  restored: (run: number) => `Restored the version of run ${run}`,
  kept: (count: number, days: number) =>
    `At most ${formatted(count)} versions are kept for ${formatted(days)} days, and the oldest go when all tasks together need more space.`,
  take: (size: string) => `These take ${size}.`,
  take_at_least: (size: string) => `These take at least ${size}.`,
  takes_unknown: 'What these take is measured soon.',

  title_of_undo: (run: number) => `Undo run ${run}`,
  title_of_restore: (run: number) => `Restore run ${run}`,
  edited: (cells: number) =>
    cells === 1
      ? '1 cell was edited since; it is kept.'
      : `${formatted(cells)} cells were edited since; they are kept.`,
  deleted: (cells: number) => `Deleted rows with ${formatted(cells)} cells stay deleted.`,
  restore_edits: (cells: number) => (cells === 1 ? 'Restore it too' : 'Restore them too'),
  again: 'New plan',
  with_edits: 'Plan that also restores edited cells',
  more_cells: (count: number) => `and ${formatted(count)} more`,

  older: 'Older version',
  older_of: ({ run_id, side }: Held) =>
    side === 'wanted' ? `Older version, of run ${run_id}` : `Older version, from before run ${run_id}`,
  holds: ({ run_id, side }: Held) =>
    side === 'wanted'
      ? `The target holds an older version (of run ${run_id}). The next run writes new rows.`
      : `The target holds an older version (from before run ${run_id}). The next run writes new rows.`,
  pause: 'Pause its schedule',
  pause_hint: 'Its own times and those of its type and of Run All. It still runs by hand.',
  paused_title: 'Schedule paused',
  paused: 'No schedule runs this task. It still runs by hand.',
  inactive: 'The task is inactive, so no schedule runs it.',
  pause_failed: 'Failed to change the schedule',
} as const
