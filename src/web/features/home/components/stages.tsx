import { IconArrowRight, IconDatabaseImport, IconStack2, IconTable } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { PipelineState, Stage } from '../../../../contract/pipeline/calls.ts'
import { formatCount } from '../../../lib/format.ts'
import { Badge, type Tone } from '../../../ui/badge.tsx'
import classes from './stages.module.css'

const shown = [
  { category: 'source', title: 'Source Tasks', path: '/source_tasks', Icon: IconDatabaseImport },
  { category: 'compiler', title: 'Compiler', path: '/compiler', Icon: IconStack2 },
  { category: 'sync', title: 'Sync Tasks', path: '/sync_tasks', Icon: IconTable },
] as const

/** The three stages that rows go through, each with how its tasks stand. */
export const Stages = ({ stages }: Pick<PipelineState, 'stages'>) => (
  <ol className={classes.stages} aria-label="Pipeline">
    {shown.map(({ category, title, path, Icon }) => (
      <li key={category}>
        <IconArrowRight size={18} className={classes.arrow} aria-hidden />
        <Link to={path} className={classes.stage}>
          <span className={classes.title}>
            <Icon size={18} aria-hidden /> {title}
          </span>
          <span className={classes.count}>{formatCount(stages[category].active, 'active', 'active')}</span>
          <span className={classes.badges}>
            {badgesOf(stages[category]).map(({ tone, label, count }) => (
              <Badge key={label} tone={tone} label={label} {...(count !== undefined && { count })} />
            ))}
          </span>
        </Link>
      </li>
    ))}
  </ol>
)

function badgesOf({
  active,
  running,
  waiting_for_quota,
  queued,
  failed,
  warnings,
  stopped,
  never_run,
}: Stage) {
  const counted: { tone: Tone; label: string; count?: number }[] = [
    { tone: 'error', label: 'Failed', count: failed },
    { tone: 'running', label: 'Running', count: running - waiting_for_quota },
    { tone: 'neutral', label: 'Waiting', count: queued + waiting_for_quota },
    { tone: 'warning', label: 'Warning', count: warnings },
    { tone: 'warning', label: 'Stopped', count: stopped },
    { tone: 'light', label: 'Never run', count: never_run },
  ]
  const some = counted.filter(({ count }) => count !== 0)
  if (some.length > 0) return some
  return active > 0 ? [{ tone: 'success' as const, label: 'All well' }] : []
}
