import type { ReactNode } from 'react'
import classes from './warning-notice.module.css'

/** Something on a page that waits for a person: what it is, and what can be done about it. */
export const WarningNotice = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className={classes.notice} aria-label={title}>
    <h2>{title}</h2>
    {children}
  </section>
)
