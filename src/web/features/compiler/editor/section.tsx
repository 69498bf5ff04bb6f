import { Input } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './section.module.css'

type Props = { title: string; hint: string; count: number; error: ReactNode; children: ReactNode }

/** A part of the form that is closed until it is needed, or has something to mend. */
export const Section = ({ title, hint, count, error, children }: Props) => (
  <details className={classes.section} open={error ? true : undefined}>
    <summary>
      {title}
      <span>{count > 0 ? count : 'none'}</span>
    </summary>
    <div className={classes.body}>
      <p>{hint}</p>
      {children}
      {error && <Input.Error>{error}</Input.Error>}
    </div>
  </details>
)
