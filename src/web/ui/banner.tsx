import type { ReactNode } from 'react'
import classes from './banner.module.css'

type Props = { label: string; severe?: boolean; children: ReactNode }

/** A message below the header about the whole application; `severe` for an error. */
export const Banner = ({ label, severe = false, children }: Props) => (
  <aside className={classes.banner} data-severe={severe || undefined} aria-label={label}>
    {children}
  </aside>
)
