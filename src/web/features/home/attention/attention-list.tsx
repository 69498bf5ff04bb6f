import { Button } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { failureMessages } from '../../../../contract/failures/client-messages.ts'
import { failureActionMessages } from '../../../../contract/failures/dialog-messages.ts'
import { limits } from '../../../../contract/limits.ts'
import type { PipelineState } from '../../../../contract/pipeline/calls.ts'
import { pipelineMessages as messages } from '../../../../contract/pipeline/client-messages.ts'
import { useActOnFailures } from '../../../tasks/failures/act-on-failures.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { MoreTasks } from '../components/more-tasks.tsx'
import { Panel } from '../components/panel.tsx'
import classes from './attention.module.css'
import { GroupOfTasks } from './attention-group.tsx'

const MarkedList = lazy(async () => ({ default: (await import('./marked-list.tsx')).MarkedList }))

type Props = Pick<PipelineState, 'attention' | 'attention_counts' | 'marked' | 'stages'>

/** Tasks that need attention, grouped by cause, most severe first, with their actions; and those that are acknowledged or snoozed. */
export function AttentionList({ attention: all, attention_counts, marked, stages }: Props) {
  // What waits for an approval is listed with its actions.
  const attention = all.filter(({ kind }) => kind !== 'waiting')
  const counts = { ...attention_counts, waiting: 0 }
  const [isMarkedShown, setMarkedShown] = useState(false)
  const marks = failureMessages.marked(marked.acknowledged, marked.snoozed)
  if (attention.length === 0 && marks === '') return null
  const failed = attention.filter(({ kind }) => kind === 'failed')
  return (
    <Panel
      title={messages.needs_attention}
      detail={
        <>
          {marks && (
            <button
              type="button"
              className={classes.toggle}
              aria-expanded={isMarkedShown}
              onClick={() => setMarkedShown(!isMarkedShown)}
            >
              {marks}
            </button>
          )}
          {failed.length > 1 && <RunAllFailed count={attention_counts.failed} />}
        </>
      }
    >
      {attention.length === 0 && <p className={classes.nothing}>{messages.nothing_new}</p>}
      <ul className={classes.groups}>
        {attention.map((group) => (
          <GroupOfTasks key={`${group.kind} ${group.cause}`} group={group} />
        ))}
      </ul>
      <MoreTasks attention={attention} counts={counts} stages={stages} />
      <Suspense>{isMarkedShown && marks && <MarkedList />}</Suspense>
    </Panel>
  )
}

function RunAllFailed({ count }: { count: number }) {
  const act = useActOnFailures({ filter: { kind: 'failed' } })
  const [asking, setAsking] = useState(false)
  const run = () => act.mutate({ action: 'run' }, { onSettled: () => setAsking(false) })
  return (
    <>
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<IconPlayerPlay size={16} aria-hidden />}
        loading={act.isPending}
        onClick={() => (count > limits.run_without_confirmation_max ? setAsking(true) : run())}
      >
        {failureActionMessages.run_all_again(count)}
      </Button>
      {asking && (
        <ConfirmDialog
          title={failureActionMessages.confirm_run(count)}
          confirm={failureActionMessages.run_again}
          busy={act.isPending}
          onConfirm={run}
          onClose={() => setAsking(false)}
        >
          {failureActionMessages.confirm_run_text}
        </ConfirmDialog>
      )}
    </>
  )
}
