import { IconArrowRight, IconDatabaseImport, IconStack2, IconTable } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { PipelineState, Stage } from '../../../../contract/pipeline/calls.ts'
import { formatCount } from '../../../lib/format.ts'
import { Badge, type Tone } from '../../../ui/badge.tsx'
import { type CountedState, pathOfState } from './list-paths.ts'
import classes from './stages.module.css'

const shown = [
  { category: 'source', title: 'Source Tasks', path: '/source_tasks', Icon: IconDatabaseImport },
  { category: 'compiler', title: 'Compiler', path: '/compiler', Icon: IconStack2 },
  { category: 'sync', title: 'Sync Tasks', path: '/sync_tasks', Icon: IconTable },
] as const

/** The three stages of the pipeline, each with the status of its tasks; each count is a link to these tasks. */
export const Stages = ({ stages }: Pick<PipelineState, 'stages'>) => (
  <ol className={classes.stages} aria-label="Pipeline">
    {shown.map(({ category, title, path, Icon }) => (
      <li key={category} data-roving>
        <IconArrowRight size={18} className={classes.arrow} aria-hidden />
        <div className={classes.stage}>
          <Link to={path} className={classes.title} data-first>
            <span>
              <Icon size={18} aria-hidden /> {title}
            </span>
            <span className={classes.active}>{formatCount(stages[category].active, 'active', 'active')}</span>
          </Link>
          <span className={classes.badges}>
            {badgesOf(stages[category]).map(({ state, tone, label, count }) =>
              state === null ? (
                <Badge key={label} tone={tone} label={label} />
              ) : (
                <Link key={label} to={pathOfState(category, state)}>
                  <Badge tone={tone} label={label} count={count} />
                </Link>
              ),
            )}
          </span>
        </div>
      </li>
    ))}
  </ol>
)

type Counted = { state: CountedState | null; tone: Tone; label: string; count: number }

function badgesOf({
  active,
  running,
  waiting_for_quota,
  queued,
  failed,
  warnings,
  stopped,
  never_run,
}: Stage): Counted[] {
  const counted: Counted[] = [
    { state: 'failed', tone: 'error', label: 'Failed', count: failed },
    { state: 'running', tone: 'running', label: 'Running', count: running - waiting_for_quota },
    { state: 'queued', tone: 'neutral', label: 'Waiting', count: queued + waiting_for_quota },
    { state: 'warnings', tone: 'warning', label: 'Warning', count: warnings },
    { state: 'stopped', tone: 'warning', label: 'Stopped', count: stopped },
    { state: 'never_run', tone: 'light', label: 'Never run', count: never_run },
  ]
  const some = counted.filter(({ count }) => count !== 0)
  if (some.length > 0) return some
  return active > 0 ? [{ state: null, tone: 'success', label: 'All well', count: active }] : []
}
