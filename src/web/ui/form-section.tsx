import { type ReactNode, useId } from 'react'
import classes from './form-section.module.css'

/** A titled group of fields. */
export function FormSection({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section className={classes.section} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  )
}

/** Labels a control that has no label of its own: `children` receives the id to refer to. */
export function LabelledField({ label, children }: { label: string; children: (id: string) => ReactNode }) {
  const id = useId()
  return (
    <div>
      <div id={id} className={classes.label}>
        {label}
      </div>
      {children(id)}
    </div>
  )
}
