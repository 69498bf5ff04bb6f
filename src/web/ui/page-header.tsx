import { ActionIcon, Title } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import classes from './page-header.module.css'

type Props = {
  title: string
  /** What belongs to the title and is less than it. */
  detail?: string
  subtitle?: ReactNode
  back?: { to: string; label: string }
  children?: ReactNode
}

/** Title of a screen with its subtitle, the way back and its actions; the tab is titled alike. */
export function PageHeader({ title, detail, subtitle, back, children }: Props) {
  return (
    <div className={classes.header}>
      <title>{[title, detail, 'Rowferry'].filter(Boolean).join(' · ')}</title>
      {back && (
        <ActionIcon component={Link} to={back.to} variant="default" size={36} aria-label={back.label}>
          <IconArrowLeft size={18} />
        </ActionIcon>
      )}
      <div className={classes.titles}>
        <Title order={1}>
          {title}
          {detail && <span className={classes.detail}> {detail}</span>}
        </Title>
        {subtitle && <p className={classes.subtitle}>{subtitle}</p>}
      </div>
      <div className={classes.actions}>{children}</div>
    </div>
  )
}
