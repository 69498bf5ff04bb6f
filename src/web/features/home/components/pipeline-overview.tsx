import { useMediaQuery } from '@mantine/hooks'
import { IconAlertCircle, IconAlertTriangle, IconCircleCheck, IconRoute } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { pipelineMessages as messages } from '../../../../contract/pipeline/client-messages.ts'
import { useOutages } from '../../../lib/outages.ts'
import { useSession, useTimeZone } from '../../../lib/session.ts'
import { formatMoment, zoneLabel } from '../../../lib/time-zone.ts'
import { RunPipelineButton } from '../../../tasks/pipeline/run-pipeline-button.tsx'
import { LoadError, LoadingRows } from '../../../ui/states.tsx'
import { Approvals } from '../attention/approvals.tsx'
import { AttentionList } from '../attention/attention-list.tsx'
import { ComingUp } from './coming-up.tsx'
import { DemoSection } from './demo-section.tsx'
import { LateForecasts } from './late-forecasts.tsx'
import { LiveRuns } from './live-runs.tsx'
import classes from './pipeline-overview.module.css'
import { QuotaUse } from './quota-use.tsx'
import { RunDays } from './run-days.tsx'
import { SinceLastVisit } from './since-last-visit.tsx'
import { Stages } from './stages.tsx'
import { usePipeline } from './use-pipeline.ts'
import { hasTasks, type Verdict, verdictOf } from './verdict.ts'

const CompletenessPanel = lazy(async () => ({
  default: (await import('./completeness-panel.tsx')).CompletenessPanel,
}))

/** Live status of the pipeline: summary, tasks that need attention, live runs, next runs. */
export function PipelineOverview() {
  const { data, isError, refetch } = usePipeline()
  const zone = useTimeZone()
  const sandbox = useSession()?.sandbox
  const outages = useOutages()
  // Below this width there is one column, and what needs attention comes first.
  const isNarrow = useMediaQuery('(max-width: 60em)', false, { getInitialValueInEffect: false })
  if (!data)
    return (
      <div className={classes.overview}>
        {isError ? (
          <LoadError message={messages.fetch_failed} onRetry={() => refetch()} />
        ) : (
          <div className={classes.coming}>
            <LoadingRows rows={6} label="Loading pipeline status" />
          </div>
        )}
      </div>
    )
  const at = (moment: string) => `${formatMoment(moment, zone)} ${zoneLabel(zone)}`
  const verdict = verdictOf(data, at, outages)
  return (
    <div className={classes.overview}>
      <VerdictBar verdict={verdict} canRun={hasTasks(data)} />
      {sandbox && <DemoSection sandbox_url={sandbox.url} has_sync_tasks={data.stages.sync.total > 0} />}
      {hasTasks(data) && (
        <>
          <LateForecasts />
          {!isNarrow && <Stages stages={data.stages} />}
          <div className={classes.columns}>
            <div className={classes.column}>
              <Approvals />
              <AttentionList {...data} />
              {isNarrow && <Stages stages={data.stages} />}
              <LiveRuns {...data} />
              <RunDays days={[...data.past_days, data.today]} />
            </div>
            <div className={classes.column}>
              <SinceLastVisit />
              <ComingUp {...data} />
              <Suspense>
                <CompletenessPanel />
              </Suspense>
              <QuotaUse quota={data.quota} />
            </div>
          </div>
        </>
      )}
    </div>
  )
}

const icons = {
  success: IconCircleCheck,
  warning: IconAlertTriangle,
  error: IconAlertCircle,
  neutral: IconRoute,
}

function VerdictBar({ verdict: { tone, title, detail }, canRun }: { verdict: Verdict; canRun: boolean }) {
  const Icon = icons[tone]
  return (
    <section className={classes.verdict} data-tone={tone} aria-label="Pipeline">
      <Icon size={30} aria-hidden />
      <div className={classes.labels}>
        <h2>{title}</h2>
        <p>{detail}</p>
      </div>
      {canRun && <RunPipelineButton />}
    </section>
  )
}
