import { useElementSize, useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { ReactFlowProvider } from '@xyflow/react'
import { graphMessages } from '../../../../contract/type-graph/client-messages.ts'

import { LoadError, PageSpinner } from '../../../ui/states.tsx'
import { type Centre, GraphCanvas, TOOLS_HEIGHT } from './graph-canvas.tsx'
import classes from './graph-picture.module.css'
import { layoutQuery } from './layout-query.ts'
import type { FoldedGraph } from './whole-graph.ts'

// Rounded, so that small changes of the size do not fit the picture again.
const coarse = (length: number) => Math.round(length / 240)

type Props = {
  graph: FoldedGraph
  selected: number | null
  centre: Centre | null
  onSelect: (id: number | null) => void
}

/** The graph, fitted to its container. The layout runs in a worker, and only after types or edges changed. */
export function GraphPicture({ graph, ...shown }: Props) {
  const { ref, width, height } = useElementSize()
  const down = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const nodes = graph.nodes.map(({ id, task_category }) => ({ id, task_category }))
  const edges = graph.edges.map(({ from, to }) => ({ from, to }))
  const layout = useQuery({ ...layoutQuery({ nodes, edges, down }), enabled: width > 0 })
  return (
    <div ref={ref} className={classes.picture}>
      {layout.isPending && <PageSpinner />}
      {layout.isError && (
        <LoadError message={graphMessages.draw_graph_failed} onRetry={() => layout.refetch()} />
      )}
      {layout.data && (
        <ReactFlowProvider key={`${layout.dataUpdatedAt} ${coarse(width)} ${coarse(height)}`}>
          <GraphCanvas
            layout={layout.data}
            window={{ width, height: Math.max(1, height - TOOLS_HEIGHT) }}
            down={down}
            graph={graph}
            {...shown}
          />
        </ReactFlowProvider>
      )}
    </div>
  )
}
