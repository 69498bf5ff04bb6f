import type { ReactNode } from 'react'
import { taskTypeMessages } from '../../../../contract/task-types/client-messages.ts'

import classes from './schedule-section.module.css'

/** Schedule section of a type's dialog. */
export const ScheduleSection = ({ children }: { children: ReactNode }) => (
  <section className={classes.schedule} aria-label="Schedule">
    <p>{taskTypeMessages.cron_optional}</p>
    {children}
  </section>
)
