import { type ReactNode, useId } from 'react'
import classes from './form-section.module.css'

/** Fields of a page that belong together. */
export function FormSection({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section className={classes.section} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  )
}

/** A field whose control has no label of its own: `children` gets the id that labels it. */
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
