import { useQuery, useQueryClient } from '@tanstack/react-query'
import { limits } from '../../../../contract/limits.ts'
import { PipelineState, pipeline } from '../../../../contract/pipeline/calls.ts'
import { useEventStream } from '../../../tasks/live/use-event-stream.ts'
import { type Pipeline, pipelineQuery } from '../../../tasks/pipeline/pipeline-query.ts'
import { approvalsQuery } from '../attention/approvals-query.ts'

/** Status of the pipeline, kept current by the event stream, or by polling while the stream is lost. */
export function usePipeline() {
  const client = useQueryClient()
  const { lost } = useEventStream({
    of: 'pipeline',
    // The stream starts with the complete state.
    onOpen: () => undefined,
    onEvent: (event) => {
      if (event.type !== 'pipeline') return
      const state = PipelineState.parse(event.state)
      const known = client.getQueryData<Pipeline>(pipelineQuery.queryKey)
      // At midnight the current day becomes a past day.
      if (known?.today.day !== state.today.day) void client.invalidateQueries(pipelineQuery)
      else client.setQueryData<Pipeline>(pipelineQuery.queryKey, { ...known, ...state })
      void client.invalidateQueries({ queryKey: [pipeline.attention.path] })
      void client.invalidateQueries(approvalsQuery)
    },
    onClose: () => undefined,
  })
  return useQuery({ ...pipelineQuery, refetchInterval: lost ? limits.status_poll_ms : false })
}
