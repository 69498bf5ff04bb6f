import { queryOptions } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { pipeline } from '../../../contract/pipeline/calls.ts'
import { pipelineMessages } from '../../../contract/pipeline/client-messages.ts'
import { call } from '../../lib/call.ts'

export type Pipeline = z.infer<typeof pipeline.read.reply>

/** Status of the pipeline. */
export const pipelineQuery = queryOptions({
  queryKey: [pipeline.read.path] as const,
  queryFn: ({ signal }) => call(pipeline.read, { signal }),
  staleTime: 0,
  meta: { failure: pipelineMessages.fetch_failed },
})

/** Tasks that Run pipeline would start, and the number of tasks that are already running or queued. */
export function startableOf({ stages: { source, compiler, sync } }: Pick<Pipeline, 'stages'>) {
  const idle = ({ active, running, queued }: Pipeline['stages']['sync']) => active - running - queued
  return {
    startable: { source: idle(source), compiler: idle(compiler), sync: idle(sync) },
    under_way: [source, compiler, sync].reduce((sum, { running, queued }) => sum + running + queued, 0),
  }
}
