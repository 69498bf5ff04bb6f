import { Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import classes from './settings-section.module.css'

type Props = {
  title: string
  hint?: string
  /** What can be done, at the right of the title. */
  actions: ReactNode
  children: ReactNode
}

/** One subject of the settings. */
export function SettingsSection({ title, hint, actions, children }: Props) {
  const id = useId()
  return (
    <section className={classes.section} aria-labelledby={id}>
      <div className={classes.head}>
        <div>
          <Title order={2} id={id}>
            {title}
          </Title>
          {hint && <p className={classes.hint}>{hint}</p>}
        </div>
        <div className={classes.actions}>{actions}</div>
      </div>
      {children}
    </section>
  )
}
