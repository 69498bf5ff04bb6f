import { IconAlertCircle, IconAlertTriangle, IconCircleCheck, IconRoute } from '@tabler/icons-react'
import { pipelineMessages as messages } from '../../../../contract/pipeline/client-messages.ts'
import { useOutages } from '../../../lib/outages.ts'
import { useSession, useTimeZone } from '../../../lib/session.ts'
import { formatMoment, zoneLabel } from '../../../lib/time-zone.ts'
import { RunPipelineButton } from '../../../tasks/pipeline/run-pipeline-button.tsx'
import { LoadError, LoadingRows } from '../../../ui/states.tsx'
import { AttentionList } from './attention-list.tsx'
import { ComingUp } from './coming-up.tsx'
import { DemoPipeline } from './demo-pipeline.tsx'
import { LiveRuns } from './live-runs.tsx'
import classes from './pipeline-overview.module.css'
import { QuotaUse } from './quota-use.tsx'
import { RunDays } from './run-days.tsx'
import { Stages } from './stages.tsx'
import { usePipeline } from './use-pipeline.ts'
import { hasTasks, type Verdict, verdictOf } from './verdict.ts'

/** The pipeline as it stands, live: whether all is right first, then what is not, what runs, and what comes. */
export function PipelineOverview() {
  const { data, isError, refetch } = usePipeline()
  const zone = useTimeZone()
  const sandbox = useSession()?.sandbox
  const outages = useOutages()
  if (!data)
    return (
      <div className={classes.overview}>
        {isError ? (
          <LoadError message={messages.fetch_failed} onRetry={() => refetch()} />
        ) : (
          <LoadingRows rows={6} label="Loading how the pipeline stands" />
        )}
      </div>
    )
  const at = (moment: string) => `${formatMoment(moment, zone)} ${zoneLabel(zone)}`
  const verdict = verdictOf(data, at, outages)
  return (
    <div className={classes.overview}>
      <VerdictBar verdict={verdict} canRun={hasTasks(data)} />
      {sandbox && data.stages.sync.total === 0 && <DemoPipeline sandbox_url={sandbox.url} />}
      {hasTasks(data) && (
        <>
          <Stages stages={data.stages} />
          <div className={classes.columns}>
            <div className={classes.column}>
              <AttentionList {...data} />
              <LiveRuns {...data} />
              <RunDays days={[...data.past_days, data.today]} />
            </div>
            <div className={classes.column}>
              <ComingUp {...data} />
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
