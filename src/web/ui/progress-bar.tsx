import classes from './progress-bar.module.css'

/** Progress in percent; null while it is unknown. */
export const ProgressBar = ({ percent, label }: { percent: number | null; label: string }) => (
  <div
    className={classes.bar}
    role="progressbar"
    aria-label={label}
    aria-valuemin={0}
    aria-valuemax={100}
    aria-valuenow={percent ?? undefined}
    data-unknown={percent === null || undefined}
  >
    <span style={{ width: `${percent ?? 30}%` }} />
  </div>
)
