import { type ReactNode, useId } from 'react'
import classes from './connection-form-page.module.css'

/** Fields that belong together. */
export function FormSection({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section className={classes.section} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  )
}
