import { SegmentedControl } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import type { TaskCategory } from '../../../../contract/tasks/schemas.ts'
import { graphMessages } from '../../../../contract/type-graph/client-messages.ts'
import { RunPipelineButton } from '../../../tasks/pipeline/run-pipeline-button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { EmptyState, LoadError, PageSpinner } from '../../../ui/states.tsx'
import classes from './graph-dialog.module.css'
import { GraphPicture } from './graph-picture.tsx'
import { TypePanel } from './type-panel.tsx'
import { TypeTree } from './type-tree.tsx'
import { useTypeGraph } from './use-type-graph.ts'
import { ofCategory } from './whole-graph.ts'

type View = 'picture' | 'list'
type Props = {
  /** Whose types are shown; left out: all, as one pipeline. */
  category?: TaskCategory
  view: View
  onView: (view: View) => void
  onClose: () => void
}

/** What waits for what, live: as a picture, or as a list for keyboards and screen readers. */
export function DependencyGraphDialog({ category, view, onView, onClose }: Props) {
  const query = useTypeGraph()
  const [selected, setSelected] = useState<number | null>(null)
  const whole = query.data
  const graph = useMemo(() => whole && ofCategory(whole, category), [whole, category])
  const chosen = graph?.nodes.find(({ id }) => id === selected)
  return (
    <Dialog title={graphMessages.dependency_graph} onClose={onClose} large>
      <div className={classes.body}>
        {query.isError && !graph && (
          <LoadError message={graphMessages.fetch_type_graph_failed} onRetry={() => query.refetch()} />
        )}
        {query.isPending && <PageSpinner />}
        {graph?.nodes.length === 0 && <EmptyState title={graphMessages.no_task_types} />}
        {whole && graph && graph.nodes.length > 0 && (
          <>
            <div className={classes.head}>
              <SegmentedControl
                aria-label="View"
                size="xs"
                value={view}
                onChange={(value) => onView(value === 'list' ? 'list' : 'picture')}
                data={[
                  { value: 'picture', label: 'Picture' },
                  { value: 'list', label: 'List' },
                ]}
              />
              <Legend />
              {category === undefined && <RunPipelineButton size="xs" />}
            </div>
            {graph.cycles.length > 0 && (
              <div role="alert" className={classes.cycles}>
                <IconAlertTriangle size={18} aria-hidden />
                <div>
                  <p>{graphMessages.cycles_detected}</p>
                  <ul>
                    {graph.cycles.map((names) => (
                      <li key={names.join()}>{names.join(' → ')}</li>
                    ))}
                  </ul>
                </div>
              </div>
            )}
            <div className={classes.split} data-view={view}>
              {view === 'picture' ? (
                <GraphPicture graph={graph} selected={selected} onSelect={setSelected} />
              ) : (
                <TypeTree graph={graph} selected={selected} onSelect={setSelected} />
              )}
              {chosen ? (
                <TypePanel key={chosen.id} node={chosen} graph={whole} onSelect={setSelected} />
              ) : (
                <p className={classes.hint}>{graphMessages.choose_type}</p>
              )}
            </div>
          </>
        )}
      </div>
    </Dialog>
  )
}

const Legend = () => (
  <p className={classes.legend}>
    <span>{graphMessages.graph_explained}</span>
    <span data-line="success">{graphMessages.condition_success}</span>
    <span data-line="completion">{graphMessages.condition_completion}</span>
  </p>
)
