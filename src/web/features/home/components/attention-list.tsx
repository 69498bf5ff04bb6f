import type { AttentionKind, PipelineState } from '../../../../contract/pipeline/calls.ts'
import {
  attentionReason,
  pipelineMessages as messages,
} from '../../../../contract/pipeline/client-messages.ts'
import { useTimeZone } from '../../../lib/session.ts'
import { formatMoment } from '../../../lib/time-zone.ts'
import { Badge, type Tone } from '../../../ui/badge.tsx'
import { Panel } from './panel.tsx'
import classes from './rows.module.css'
import { TaskLink } from './task-link.tsx'

const tones: Record<AttentionKind, Tone> = {
  failed: 'error',
  waiting: 'purple',
  missed: 'warning',
  behind: 'warning',
  warning: 'warning',
  stopped: 'warning',
}

/** What needs attention, worst first, each with why and where to go. */
export function AttentionList({
  attention,
  attention_counts,
  attention_tasks,
}: Pick<PipelineState, 'attention' | 'attention_counts' | 'attention_tasks'>) {
  const zone = useTimeZone()
  if (attention.length === 0) return null
  const all = Object.values(attention_counts).reduce((sum, count) => sum + count, 0)
  const more = all - attention.length
  return (
    <Panel title={messages.to_look_at(attention_tasks)} detail={more > 0 ? messages.more(more) : ''}>
      <ul className={classes.rows}>
        {attention.map(({ kind, task, reason, at }) => (
          <li key={`${kind} ${task.id}`} className={classes.attention}>
            <Badge tone={tones[kind]} label={messages.kinds[kind]} />
            <div>
              <p className={classes.name}>
                <TaskLink task={task} /> <small>{task.type}</small>
              </p>
              <p className={classes.reason}>{attentionReason(kind, reason)}</p>
            </div>
            <time dateTime={at}>{formatMoment(at, zone)}</time>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
