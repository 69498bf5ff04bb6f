import { Button } from '@mantine/core'
import { IconEye, IconPencilCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useParams } from 'react-router'
import type { Plan } from '../../../contract/plans/calls.ts'
import { planMessages as messages } from '../../../contract/plans/client-messages.ts'
import type { RunDetail } from '../../../contract/runs/calls.ts'
import { taskTitle, titleText } from '../../../contract/titles/task-title.ts'
import { versionMessages } from '../../../contract/versions/client-messages.ts'
import { CallError } from '../../lib/call.ts'
import { formatNumber } from '../../lib/format.ts'
import { usePathId } from '../../lib/path-id.ts'
import { reasonOf } from '../../lib/query-client.ts'
import { useTimeZone } from '../../lib/session.ts'
import { formatLongMoment } from '../../lib/time-zone.ts'
import { usePreview } from '../../tasks/actions/preview.ts'
import { useRestore } from '../../tasks/actions/restore.ts'
import { disabledWithReason } from '../../ui/disabled-with-reason.ts'
import { LinkedText } from '../../ui/linked-text.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { EmptyState, LoadError, LoadingRows } from '../../ui/states.tsx'
import { isLive, planQuery, runQuery } from './api.ts'
import { appliedText, canApply, refusalOf } from './components/applicable.ts'
import { KeptEdits } from './components/kept-edits.tsx'
import { PlanFormats } from './components/plan-formats.tsx'
import { PlanSummaryList } from './components/plan-summary.tsx'
import { PlanTabs } from './components/plan-tabs.tsx'
import { useApply } from './components/use-apply.ts'
import classes from './plan-screen.module.css'

const PlanRows = lazy(async () => ({ default: (await import('./components/plan-rows.tsx')).PlanRows }))

/** What a preview would change, or what a run has changed. Task and run are in the address. */
export function PlanScreen() {
  const task_id = usePathId() ?? 0
  const run_id = Number(useParams().run)
  const run = useQuery(runQuery(run_id))
  // A run that failed because of a limit has a plan.
  const isOver = run.data !== undefined && !isLive(run.data.state)
  const isWell = run.data?.state === 'success' || run.data?.state === 'warning'
  const plan = useQuery({ ...planQuery(run_id), enabled: isOver })
  const preview = usePreview(task_id)
  const isOfRun = plan.data?.expires_at === null
  const restores = plan.data?.restores ?? run.data?.restores ?? null
  return (
    <>
      <PageHeader
        title={isOfRun ? messages.title_of_run(run_id) : titleOf(restores)}
        {...(run.data && {
          detail: titleText(taskTitle({ id: task_id, name: run.data.task_name, sheets: run.data.sheets })),
        })}
        back={{ to: `/sync_tasks/${task_id}`, label: 'Back to the task' }}
      >
        {restores && !isOfRun ? (
          <RestoreAgainButton task_id={task_id} restores={restores} />
        ) : (
          <Button
            variant="default"
            leftSection={<IconEye size={17} aria-hidden />}
            loading={preview.isPending}
            onClick={() => preview.mutate()}
          >
            {messages.again}
          </Button>
        )}
        {plan.data && canApply(plan.data) && <ApplyButton plan={plan.data} />}
      </PageHeader>
      {run.isError && (
        <LoadError message={reasonOf(run.error, messages.fetch_failed)} onRetry={() => run.refetch()} />
      )}
      {run.isPending && <LoadingRows rows={5} label={messages.loading} />}
      {run.data && isLive(run.data.state) && <Comparing run={run.data} />}
      {run.data && plan.isError && isGone(plan.error) && !isWell && (
        <Failed task_id={task_id} run={run.data} />
      )}
      {isOver && plan.isPending && <LoadingRows rows={5} label={messages.loading} />}
      {plan.isError && isGone(plan.error) && isWell && (
        <EmptyState title={messages.none} hint={messages.none_hint} />
      )}
      {plan.isError && !isGone(plan.error) && (
        <LoadError message={reasonOf(plan.error, messages.fetch_failed)} onRetry={() => plan.refetch()} />
      )}
      {plan.data && <PlanBody plan={plan.data} />}
    </>
  )
}

type Restores = Pick<NonNullable<Plan['restores']>, 'run_id' | 'side'>

function titleOf(restores: Restores | null): string {
  if (!restores) return messages.title
  const { run_id, side } = restores
  return side === 'former' ? versionMessages.title_of_undo(run_id) : versionMessages.title_of_restore(run_id)
}

const isGone = (error: Error) => error instanceof CallError && error.status === 404

/** Why there is no plan. Where edited cells are in the way of a version, it can be restored without them. */
function Failed({ task_id, run: { error, message, restores } }: { task_id: number; run: RunDetail }) {
  const restore = useRestore(task_id)
  return (
    <div className={classes.failed} role="alert">
      <h2 className="heading">{messages.not_well}</h2>
      <p>
        <LinkedText text={error ?? message ?? ''} />
      </p>
      {restores?.edits_in_the_way && (
        <Button
          size="compact-sm"
          variant="default"
          loading={restore.isPending}
          onClick={() =>
            restore.mutate({
              run_id: restores.side === 'former' ? null : restores.run_id,
              overwrite_edits: true,
            })
          }
        >
          {versionMessages.with_edits}
        </Button>
      )}
    </div>
  )
}

type Restored = { task_id: number; restores: Restores }

function RestoreAgainButton({ task_id, restores: { run_id, side } }: Restored) {
  const restore = useRestore(task_id)
  return (
    <Button
      variant="default"
      leftSection={<IconEye size={17} aria-hidden />}
      loading={restore.isPending}
      onClick={() => restore.mutate({ run_id: side === 'former' ? null : run_id })}
    >
      {versionMessages.again}
    </Button>
  )
}

function ApplyButton({ plan }: { plan: Plan }) {
  const apply = useApply(plan.task_id)
  return (
    <Button
      leftSection={<IconPencilCheck size={17} aria-hidden />}
      aria-description={messages.apply_hint}
      loading={apply.isPending}
      {...disabledWithReason(refusalOf(plan), () => apply.mutate(plan.hash))}
    >
      {messages.apply}
    </Button>
  )
}

function Comparing({ run }: { run: RunDetail }) {
  return (
    <div role="status">
      <p>{messages.comparing}</p>
      <p className={classes.phase}>
        {run.phase}
        {run.rows > 0 && ` · ${formatNumber(run.rows)}`}
      </p>
      <LoadingRows rows={5} label={messages.comparing} />
    </div>
  )
}

function PlanBody({ plan }: { plan: Plan }) {
  const { rows } = plan.summary
  return (
    <>
      <p className={classes.state} data-state={plan.state}>
        <StateText plan={plan} />
      </p>
      <PlanSummaryList plan={plan} />
      <PlanTabs plan={plan} />
      <PlanFormats summary={plan.summary} />
      {plan.restores && <KeptEdits plan={plan} restores={plan.restores} />}
      {rows.removed + rows.changed + rows.added + rows.moved > 0 && (
        <Suspense fallback={<LoadingRows rows={8} label={messages.loading} />}>
          <PlanRows plan={plan} />
        </Suspense>
      )}
    </>
  )
}

function StateText({ plan }: { plan: Plan }) {
  const { state, expires_at, applied_by } = plan
  const zone = useTimeZone()
  const written = applied_by && appliedText(applied_by)
  switch (state) {
    case 'open': {
      if (written) return written
      const until = expires_at === null ? '' : messages.until(formatLongMoment(expires_at, zone))
      return [messages.nothing_written, refusalOf(plan) ?? until].filter(Boolean).join(' ')
    }
    case 'outdated':
      return messages.outdated
    case 'expired':
      return messages.expired
    case 'applied':
      return written ?? messages.applied
  }
}
