import type { ReactNode } from 'react'
import classes from './warning-notice.module.css'

/** A warning on a page that needs a decision, with its actions. */
export const WarningNotice = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className={classes.notice} aria-label={title}>
    <h2>{title}</h2>
    {children}
  </section>
)
