import classes from './badge.module.css'

/** Colour of a badge; the label carries the same information. Live statuses are blue (`running`) or green (`working`). */
export type Tone =
  | 'success'
  | 'error'
  | 'warning'
  | 'neutral'
  | 'info'
  | 'running'
  | 'working'
  | 'light'
  | 'purple'

/** A dot and a label on a tinted background; the dot of a live status pulses. */
export function Badge({ tone, label, count }: { tone: Tone; label: string; count?: number }) {
  return (
    <span className={classes.badge} data-tone={tone}>
      {label}
      {count !== undefined && <b>{count}</b>}
    </span>
  )
}
