import { type ReactNode, useId } from 'react'
import classes from './panel.module.css'

/** A card with a heading and an optional detail beside it. */
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
        <h2 id={id}>{title}</h2>
        {detail && <span>{detail}</span>}
      </header>
      {children}
    </section>
  )
}
