import { Button } from '@mantine/core'
import { Link } from 'react-router'
import type { Plan, Preview } from '../../../../contract/plans/calls.ts'
import { previewMessages as messages } from '../../../../contract/previews/client-messages.ts'
import { taskTitle } from '../../../../contract/titles/task-title.ts'
import { Badge, type Tone } from '../../../ui/badge.tsx'
import { CardTable } from '../../../ui/card-table.tsx'
import { disabledWithReason } from '../../../ui/disabled-with-reason.ts'
import { LinkedText } from '../../../ui/linked-text.tsx'
import { TitledTask } from '../../../ui/titled-task.tsx'
import { appliedText, canApply, lapsedText, refusalOf } from './applicable.ts'
import { SummaryLines } from './plan-summary.tsx'
import classes from './preview-list.module.css'
import { type Outcome, outcomeOf } from './totals.ts'
import { useApplyMany } from './use-apply.ts'

const { column: labels } = messages

const tones: Record<Outcome, Tone> = {
  failed: 'error',
  danger: 'error',
  change: 'info',
  live: 'running',
  nothing: 'neutral',
}

/** Previews with what each would change, and a button that writes one. */
export function PreviewList({ previews }: { previews: readonly Preview[] }) {
  return (
    <div className={classes.list}>
      <CardTable
        label={messages.list}
        columns={[
          { label: labels.task, cell: (preview) => <TaskName preview={preview} /> },
          {
            label: labels.state,
            cell: (preview) => {
              const outcome = outcomeOf(preview)
              return <Badge tone={tones[outcome]} label={messages.outcome[outcome]} />
            },
          },
          { label: labels.change, place: 'wide', cell: (preview) => <WhatChanges preview={preview} /> },
          {
            label: labels.actions,
            place: 'end',
            cell: ({ plan, task_name }) => plan && <WriteButton plan={plan} name={task_name} />,
          },
        ]}
        rows={previews}
        keyOf={({ run_id }) => run_id}
      />
    </div>
  )
}

function TaskName({ preview: { task, task_name, run_id } }: { preview: Preview }) {
  if (!task) return task_name
  return (
    <Link to={`/sync_tasks/${task.id}/plans/${run_id}`}>
      <TitledTask {...taskTitle(task)} />
    </Link>
  )
}

function WhatChanges({ preview }: { preview: Preview }) {
  const { plan, error, task } = preview
  const outcome = outcomeOf(preview)
  if (outcome === 'live') return <span className={classes.quiet}>{messages.comparing}</span>
  if (!plan)
    return task ? (
      <span className={classes.error}>
        <LinkedText text={error ?? ''} />
      </span>
    ) : (
      <span className={classes.quiet}>{messages.deleted}</span>
    )
  const note = lapsedText(plan) ?? (plan.applied_by && appliedText(plan.applied_by))
  return (
    <>
      <SummaryLines
        lines={plan.summary.lines.filter(({ level }) => level !== 'note' || outcome === 'nothing')}
      />
      {note && <p className={classes.quiet}>{note}</p>}
    </>
  )
}

function WriteButton({ plan, name }: { plan: Plan; name: string }) {
  const apply = useApplyMany()
  if (!canApply(plan)) return null
  return (
    <Button
      variant="default"
      size="xs"
      aria-label={messages.write_one(name)}
      loading={apply.isPending}
      {...disabledWithReason(refusalOf(plan), () => apply.mutate([plan.hash]))}
    >
      {messages.write}
    </Button>
  )
}
