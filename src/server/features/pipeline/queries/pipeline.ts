import type { DayOfRuns, PipelineState } from '../../../../contract/pipeline/calls.ts'
import type { Db } from '../../../platform/db.ts'
import { readAttention } from './attention.ts'
import { readDays } from './days.ts'
import { readLiveRuns } from './live-runs.ts'
import { readNext } from './next.ts'
import { type Quota, readQuota } from './quota.ts'
import { readStages } from './stages.ts'

const DAYS = 14

export type PipelineDeps = {
  db: Db
  /** SCHEDULE_TIME_ZONE. */
  zone: string
  quota: Quota
}

/** Reads the current pipeline state including today's runs. */
export async function readPipelineState({ db, zone, quota }: PipelineDeps): Promise<PipelineState> {
  return { ...(await readNow({ db, zone, quota })), today: last(await readDays(db, zone, 1)) }
}

/** Reads the pipeline state with the runs of two weeks. */
export async function readPipeline({
  db,
  zone,
  quota,
}: PipelineDeps): Promise<PipelineState & { past_days: DayOfRuns[] }> {
  const days = await readDays(db, zone, DAYS)
  return { ...(await readNow({ db, zone, quota })), today: last(days), past_days: days.slice(0, -1) }
}

async function readNow({ db, zone, quota }: PipelineDeps): Promise<Omit<PipelineState, 'today'>> {
  return {
    stages: await readStages(db),
    live: await readLiveRuns(db),
    ...(await readAttention(db)),
    ...(await readNext(db, zone)),
    quota: await readQuota(db, quota),
  }
}

function last(days: readonly DayOfRuns[]): DayOfRuns {
  const today = days.at(-1)
  if (today === undefined) throw new Error('A series of days has no last one.')
  return today
}
