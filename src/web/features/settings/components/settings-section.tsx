import type { ReactNode } from 'react'
import type { SectionId } from './sections.ts'
import classes from './settings-section.module.css'

type Props = {
  /** Its id in the address, such as `#alarms`. */
  id: SectionId
  title: string
  hint?: string
  /** Buttons to the right of the title. */
  actions: ReactNode
  children: ReactNode
}

/** One section of the settings. */
export function SettingsSection({ id, title, hint, actions, children }: Props) {
  return (
    <section className={classes.section} id={id} aria-labelledby={`${id}-title`}>
      <div className={classes.head}>
        <div>
          <h2 className="heading" id={`${id}-title`} tabIndex={-1}>
            {title}
          </h2>
          {hint && <p className={classes.hint}>{hint}</p>}
        </div>
        <div className={classes.actions}>{actions}</div>
      </div>
      {children}
    </section>
  )
}
