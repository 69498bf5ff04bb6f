import { IconExternalLink } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { CellPlace, LineageStep } from '../../../../contract/lineage/calls.ts'
import { lineageMessages as messages } from '../../../../contract/lineage/client-messages.ts'
import { useTimeZone } from '../../../lib/session.ts'
import { formatLongMoment } from '../../../lib/time-zone.ts'
import { lineagePath } from '../../../tasks/lineage/lineage-path.ts'
import classes from './lineage.module.css'

type TaskOf = NonNullable<LineageStep['task']>

const PAGES: Record<TaskOf['category'], string> = {
  sync: '/sync_tasks',
  source: '/source_tasks',
  compiler: '/compiler',
}

export const TaskLink = ({ task: { category, id, name } }: { task: TaskOf }) => (
  <Link to={`${PAGES[category]}/${id}`}>{name}</Link>
)

/** A run with its time. */
export function RunLink({ run: { id, at } }: { run: NonNullable<LineageStep['run']> }) {
  const zone = useTimeZone()
  return (
    <>
      <Link to={`/runs?run=${id}`}>{messages.written_by(id)}</Link>, {formatLongMoment(at, zone)}
    </>
  )
}

/** Where a value stands: a cell of a spreadsheet can be opened there, and followed here. */
export function Place({ place: { text, link } }: { place: Pick<CellPlace, 'text' | 'link'> }) {
  if (link === null) return text
  return (
    <>
      <Link to={lineagePath({ link })}>{text}</Link>{' '}
      <a
        href={link}
        target="_blank"
        rel="noreferrer"
        className={classes.external}
        aria-label={`${messages.open_sheet}: ${text}`}
        title={messages.open_sheet}
      >
        <IconExternalLink size={15} aria-hidden />
      </a>
    </>
  )
}
