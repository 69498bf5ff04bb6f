import classes from './timeline.module.css'

const entries = [
  ['success', 'Success'],
  ['warning', 'Warning'],
  ['error', 'Failed'],
  ['stopped', 'Stopped'],
  ['running', 'In progress'],
  ['preview', 'Preview'],
  ['queue', 'Waiting in the queue'],
  ['prerequisites', 'Waiting for prerequisites'],
  ['quota', 'Waiting for quota'],
] as const

/** What the colours of the bars mean. */
export const Legend = () => (
  <ul className={classes.legend} aria-label="Colours">
    {entries.map(([key, label]) => (
      <li key={key} data-swatch={key}>
        {label}
      </li>
    ))}
  </ul>
)
