import type { ReactNode } from 'react'
import classes from './banner.module.css'

type Props = { label: string; severe?: boolean; children: ReactNode }

/** A line below the header that is true of the whole page; `severe` where something is wrong. */
export const Banner = ({ label, severe = false, children }: Props) => (
  <aside className={classes.banner} data-severe={severe || undefined} aria-label={label}>
    {children}
  </aside>
)
