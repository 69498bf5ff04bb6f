import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { limits } from '../../../../contract/limits.ts'
import { type TypeGraph, type TypeState, typeGraph } from '../../../../contract/type-graph/calls.ts'
import { graphMessages } from '../../../../contract/type-graph/client-messages.ts'
import { call } from '../../../lib/call.ts'
import { oneAtATime } from '../../../lib/one-at-a-time.ts'
import { useEventStream } from '../../../tasks/live/use-event-stream.ts'

const queryKey = [typeGraph.read.path] as const

/** The graph with newer states. Unchanged types keep their identity, so they are not redrawn. */
export function withStates(graph: TypeGraph, states: ReadonlyMap<number, TypeState>): TypeGraph {
  const nodes = graph.nodes.map((node) => {
    const state = states.get(node.id)
    return state ? { ...node, ...state } : node
  })
  return { ...graph, nodes }
}

/**
 * Dependency graph of all task types, updated by the event stream, or by polling while the stream is disconnected. While connected,
 * events take precedence over replies.
 */
export function useTypeGraph() {
  const client = useQueryClient()
  const [newest] = useState(() => new Map<number, TypeState>())
  const refetchGraph = useMemo(
    () => oneAtATime(() => client.invalidateQueries({ queryKey }, { cancelRefetch: true })),
    [client],
  )
  const { lost } = useEventStream({
    of: 'types',
    onOpen: (again) => {
      if (again) void refetchGraph()
    },
    onEvent: (event) => {
      if (event.type === 'tasks') void refetchGraph()
      if (event.type !== 'types') return
      for (const state of event.types) newest.set(state.id, state)
      const changed = new Map(event.types.map((state) => [state.id, state]))
      client.setQueryData<TypeGraph>(queryKey, (graph) => graph && withStates(graph, changed))
    },
    onClose: () => newest.clear(),
  })
  return useQuery(
    queryOptions({
      queryKey,
      queryFn: async ({ signal }) => withStates(await call(typeGraph.read, { signal }), newest),
      staleTime: 0,
      refetchInterval: lost ? limits.status_poll_ms : false,
      meta: { failure: graphMessages.fetch_type_graph_failed },
    }),
  )
}
