import { useQuery, useQueryClient } from '@tanstack/react-query'
import { limits } from '../../../../contract/limits.ts'
import { PipelineState } from '../../../../contract/pipeline/calls.ts'
import { useEventStream } from '../../../tasks/live/use-event-stream.ts'
import { type Pipeline, pipelineQuery } from '../../../tasks/pipeline/pipeline-query.ts'

/** How the pipeline stands, kept up to date by the event stream, or by asking where that is lost. */
export function usePipeline() {
  const client = useQueryClient()
  const { lost } = useEventStream({
    of: 'pipeline',
    // the stream begins with the whole of it
    onOpen: () => undefined,
    onEvent: (event) => {
      if (event.type !== 'pipeline') return
      const state = PipelineState.parse(event.state)
      const known = client.getQueryData<Pipeline>(pipelineQuery.queryKey)
      // at midnight today becomes one of the past days
      if (known?.today.day !== state.today.day) void client.invalidateQueries(pipelineQuery)
      else client.setQueryData<Pipeline>(pipelineQuery.queryKey, { ...known, ...state })
    },
    onClose: () => undefined,
  })
  return useQuery({ ...pipelineQuery, refetchInterval: lost ? limits.status_poll_ms : false })
}
