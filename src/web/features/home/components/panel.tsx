import { type ReactNode, useId } from 'react'
import classes from './panel.module.css'

/** A card with a heading, and beside it what belongs to that and is less. */
export function Panel({
  title,
  detail = '',
  children,
}: {
  title: string
  detail?: ReactNode
  children: ReactNode
}) {
  const id = useId()
  return (
    <section className={classes.panel} aria-labelledby={id}>
      <header>
        <h3 id={id}>{title}</h3>
        {detail && <span>{detail}</span>}
      </header>
      {children}
    </section>
  )
}
