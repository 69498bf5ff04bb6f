import { IconAlertTriangle, IconArrowRight, IconInfoCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Plan, SummaryLine } from '../../../../contract/plans/calls.ts'
import { planMessages as messages } from '../../../../contract/plans/client-messages.ts'
import classes from './plan-summary.module.css'

const icons = { danger: IconAlertTriangle, change: IconArrowRight, note: IconInfoCircle } satisfies Record<
  SummaryLine['level'],
  unknown
>

/** What a plan changes, in at most twelve lines, dangers first. */
export function PlanSummaryList({ plan }: { plan: Plan }) {
  return (
    <SummaryCard label={messages.summary}>
      <p className={classes.target}>{plan.target.title}</p>
      <SummaryLines lines={plan.summary.lines} />
    </SummaryCard>
  )
}

/** The card of a summary. */
export const SummaryCard = ({ label, children }: { label: string; children: ReactNode }) => (
  <section className={classes.summary} aria-label={label}>
    {children}
  </section>
)

/** Sentences of a summary, each with the sign of its level. */
export const SummaryLines = ({ lines }: { lines: readonly SummaryLine[] }) => (
  <ul className={classes.lines}>
    {lines.map(({ level, text }) => {
      const Icon = icons[level]
      return (
        <li key={text} data-level={level}>
          <Icon size={17} aria-hidden />
          {text}
        </li>
      )
    })}
  </ul>
)
