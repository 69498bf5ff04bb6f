import { useElementSize, useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { ReactFlowProvider } from '@xyflow/react'
import { graphMessages } from '../../../../contract/type-graph/client-messages.ts'

import { LoadError, PageSpinner } from '../../../ui/states.tsx'
import { GraphCanvas } from './graph-canvas.tsx'
import classes from './graph-picture.module.css'
import { layoutQuery } from './layout-query.ts'
import type { ShownGraph } from './whole-graph.ts'

// A window that is a little larger needs no other picture.
const coarse = (length: number) => Math.max(1, Math.round(length / 240)) * 240

type Props = { graph: ShownGraph; selected: number | null; onSelect: (id: number | null) => void }

/** The graph as a picture that fits its window; laid out aside, and again only when types or arrows change. */
export function GraphPicture({ graph, selected, onSelect }: Props) {
  const { ref, width, height } = useElementSize()
  const down = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const nodes = graph.nodes.map(({ id, task_category }) => ({ id, task_category }))
  const edges = graph.edges.map(({ from, to }) => ({ from, to }))
  const window = { width: coarse(width), height: coarse(height) }
  const layout = useQuery({ ...layoutQuery({ nodes, edges, down, window }), enabled: width > 0 })
  return (
    <div ref={ref} className={classes.picture}>
      {layout.isPending && <PageSpinner />}
      {layout.isError && (
        <LoadError message={graphMessages.draw_graph_failed} onRetry={() => layout.refetch()} />
      )}
      {layout.data && (
        <ReactFlowProvider key={layout.dataUpdatedAt}>
          <GraphCanvas
            layout={layout.data}
            window={{ width, height }}
            down={down}
            graph={graph}
            selected={selected}
            onSelect={onSelect}
          />
        </ReactFlowProvider>
      )}
    </div>
  )
}
