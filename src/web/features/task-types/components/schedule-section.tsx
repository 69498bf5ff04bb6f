import type { ReactNode } from 'react'
import { messages } from '../../../../contract/screen-messages.ts'
import classes from './schedule-section.module.css'

/** The part of a dialog that holds the schedule of a type. */
export const ScheduleSection = ({ children }: { children: ReactNode }) => (
  <section className={classes.schedule} aria-label="Schedule">
    <p>{messages.cron_optional}</p>
    {children}
  </section>
)
