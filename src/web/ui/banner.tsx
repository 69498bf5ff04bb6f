import type { ReactNode } from 'react'
import classes from './banner.module.css'

/** A line below the header that is true of the whole page. */
export const Banner = ({ children }: { children: ReactNode }) => (
  <div className={classes.banner} role="note">
    {children}
  </div>
)
