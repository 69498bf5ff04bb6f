import { ActionIcon } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import classes from './page-header.module.css'

type Props = {
  title: string
  /** Secondary text beside the title. */
  detail?: string
  subtitle?: ReactNode
  back?: { to: string; label: string }
  children?: ReactNode
}

/** Title of a screen with subtitle, back link and actions, which are one Tab stop; also sets the document title. */
export function PageHeader({ title, detail, subtitle, back, children }: Props) {
  return (
    <div className={classes.header} data-roving>
      <title>{[title, detail, 'Rowferry'].filter(Boolean).join(' · ')}</title>
      {back && (
        <ActionIcon component={Link} to={back.to} variant="default" size={36} aria-label={back.label}>
          <IconArrowLeft size={18} />
        </ActionIcon>
      )}
      <div className={classes.titles}>
        <h1 className="heading">
          {title}
          {detail && <span className={classes.detail}> {detail}</span>}
        </h1>
        {subtitle && <p className={classes.subtitle}>{subtitle}</p>}
      </div>
      <div className={classes.actions}>{children}</div>
    </div>
  )
}
