import type { ReactNode } from 'react'
import classes from './banner.module.css'

/** A line below the header that is true of the whole page. */
export const Banner = ({ label, children }: { label: string; children: ReactNode }) => (
  <aside className={classes.banner} aria-label={label}>
    {children}
  </aside>
)
