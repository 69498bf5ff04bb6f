import classes from './completeness.module.css'
import { completenessOf } from './record-fields.ts'

/** Share of filled fields, as a coloured bar and as text. */
export function Completeness({ filled, of }: { filled: number; of: number }) {
  const { percent, tone } = completenessOf({ filled, of })
  return (
    <div className={classes.completeness} data-tone={tone}>
      <span>
        Completeness <b>{percent}%</b>
      </span>
      <div className={classes.bar} aria-hidden>
        <span style={{ width: `${percent}%` }} />
      </div>
      <span className={classes.count}>
        {filled} of {of} fields
      </span>
    </div>
  )
}
