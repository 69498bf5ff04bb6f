import type { Progress } from '../../../contract/tasks/schemas.ts'
import { formatCount, formatElapsed, formatNumber } from '../../lib/format.ts'
import type { Task } from '../task-model.ts'

/** Completed rows in percent; null while the total is unknown. */
export const percentOf = ({ rows_done, rows_total }: Progress) =>
  rows_total === null
    ? null
    : rows_total === 0
      ? 100
      : Math.min(100, Math.floor((rows_done / rows_total) * 100))

/** Phase, rows, rate and time left, as far as they are known. */
export const progressText = ({ phase, rows_done, rows_total, rows_per_second, seconds_left }: Progress) =>
  [
    phase,
    rows_total === null
      ? formatCount(rows_done, 'row')
      : `${formatNumber(rows_done)} of ${formatCount(rows_total, 'row')}`,
    rows_per_second === null ? '' : `${formatNumber(rows_per_second)} rows/s`,
    seconds_left === null ? '' : `${formatElapsed(seconds_left)} left`,
  ]
    .filter(Boolean)
    .join(' · ')

/** Unacknowledged warnings of a task's last run. */
export const openWarnings = ({ run_warnings }: Pick<Task, 'run_warnings'>) =>
  run_warnings.filter(({ acknowledged }) => !acknowledged)
