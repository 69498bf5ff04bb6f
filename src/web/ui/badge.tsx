import classes from './badge.module.css'

/** What a badge says by colour; its label always says it in words too. What is under way is blue (`running`) or green (`working`). */
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

/** A dot and a label on a tint; the dot of something under way pulses. */
export function Badge({ tone, label, count }: { tone: Tone; label: string; count?: number }) {
  return (
    <span className={classes.badge} data-tone={tone}>
      {label}
      {count !== undefined && <b>{count}</b>}
    </span>
  )
}
