import type { ReactNode } from 'react'
import { taskTypeMessages } from '../../../../contract/task-types/client-messages.ts'

import classes from './schedule-section.module.css'

/** The part of a dialog that holds the schedule of a type. */
export const ScheduleSection = ({ children }: { children: ReactNode }) => (
  <section className={classes.schedule} aria-label="Schedule">
    <p>{taskTypeMessages.cron_optional}</p>
    {children}
  </section>
)
