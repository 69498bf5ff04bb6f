import { Button, SegmentedControl } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import type { TaskCategory } from '../../../../contract/tasks/schemas.ts'
import type { TypeNode } from '../../../../contract/type-graph/calls.ts'
import { graphMessages } from '../../../../contract/type-graph/client-messages.ts'
import { RunPipelineButton } from '../../../tasks/pipeline/run-pipeline-button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { disabledWithReason } from '../../../ui/disabled-with-reason.ts'
import { SearchField } from '../../../ui/search-field.tsx'
import { EmptyState, LoadError, PageSpinner } from '../../../ui/states.tsx'
import type { Centre } from './graph-canvas.tsx'
import classes from './graph-dialog.module.css'
import { GraphPicture } from './graph-picture.tsx'
import { TypePanel } from './type-panel.tsx'
import { TypeTree } from './type-tree.tsx'
import { useTypeGraph } from './use-type-graph.ts'
import { foldGraph, foldingOf, keysAround, ofCategory } from './whole-graph.ts'

type View = 'picture' | 'list'
type Props = {
  /** Without it: all categories, as one pipeline. */
  category?: TaskCategory
  view: View
  onView: (view: View) => void
  onClose: () => void
}

/** Live dependency graph, as a drawing or as a list for keyboards and screen readers. */
export function DependencyGraphDialog({ category, view, onView, onClose }: Props) {
  const query = useTypeGraph()
  const [selected, setSelected] = useState<number | null>(null)
  const whole = query.data
  const graph = useMemo(() => whole && ofCategory(whole, category), [whole, category])
  const chosen = graph?.nodes.find(({ id }) => id === selected)
  const folding = useMemo(() => (graph ? foldingOf(graph) : { chains: [], places: [] }), [graph])
  // A list shows every type under its own prerequisite, so only chains are folded there.
  const used = useMemo(() => (view === 'list' ? { ...folding, places: [] } : folding), [folding, view])
  const groups = [...used.chains, ...used.places]
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set())
  const shown = useMemo(() => graph && foldGraph(graph, used, unfolded), [graph, used, unfolded])
  const isUnfolded = groups.some(({ key }) => unfolded.has(key))
  const [centre, setCentre] = useState<Centre | null>(null)
  /** Selects a type, in the middle of the picture and out of its group. */
  const goTo = (id: number) => {
    setUnfolded(new Set([...unfolded, ...keysAround(id, used)]))
    setSelected(id)
    setCentre({ id })
  }
  const choose = (id: number | null) => {
    const group = groups.find((one) => one.id === id)
    const first = group?.members.find(
      (member) => !groups.some(({ id, key }) => id === member.id && unfolded.has(key)),
    )
    if (first) goTo(first.id)
    else setSelected(id)
  }
  return (
    <Dialog title={graphMessages.dependency_graph} onClose={onClose} large>
      <div className={classes.body}>
        {query.isError && !graph && (
          <LoadError message={graphMessages.fetch_type_graph_failed} onRetry={() => query.refetch()} />
        )}
        {query.isPending && <PageSpinner />}
        {graph?.nodes.length === 0 && <EmptyState title={graphMessages.no_task_types} />}
        {whole && graph && shown && graph.nodes.length > 0 && (
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
              <TypeSearch types={graph.nodes} selected={selected} onFind={goTo} />
              {groups.length > 0 && (
                <Button
                  variant="default"
                  size="xs"
                  {...disabledWithReason(isUnfolded ? null : graphMessages.nothing_unfolded, () => {
                    setUnfolded(new Set())
                    setCentre(null)
                  })}
                >
                  {graphMessages.fold_groups}
                </Button>
              )}
              {category === undefined && <RunPipelineButton size="xs" />}
            </div>
            <Legend />
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
                <GraphPicture graph={shown} selected={selected} centre={centre} onSelect={choose} />
              ) : (
                <TypeTree graph={shown} selected={selected} onSelect={choose} />
              )}
              {chosen ? (
                <TypePanel key={chosen.id} node={chosen} graph={whole} onSelect={goTo} />
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
    {graphMessages.states.map(({ tone, label }) => (
      <span key={tone} data-state data-tone={tone}>
        {label}
      </span>
    ))}
  </p>
)

type SearchProps = { types: readonly TypeNode[]; selected: number | null; onFind: (id: number) => void }

/** Finds types by name: the first one at once, the next one with Enter, the previous one with Shift+Enter. */
function TypeSearch({ types, selected, onFind }: SearchProps) {
  const [search, setSearch] = useState('')
  const [typed, setTyped] = useState<string | null>(null)
  const matchesOf = (text: string) => {
    const wanted = text.trim().toLowerCase()
    return wanted === '' ? [] : types.filter(({ name }) => name.toLowerCase().includes(wanted))
  }
  const matches = matchesOf(search)
  const place = matches.findIndex(({ id }) => id === selected)
  const goTo = (type: TypeNode | undefined) => type && onFind(type.id)
  return (
    <search className={classes.search}>
      <SearchField
        label={graphMessages.search}
        placeholder={graphMessages.search}
        search={search}
        typed={typed}
        onType={setTyped}
        onChange={(text) => {
          setSearch(text)
          if (text.trim() !== search.trim()) goTo(matchesOf(text)[0])
        }}
        onEnter={(backwards) =>
          goTo(
            backwards
              ? (matches[place < 0 ? 0 : place - 1] ?? matches.at(-1))
              : (matches[place + 1] ?? matches[0]),
          )
        }
      />
      <span role="status">
        {search.trim() !== '' &&
          (matches.length === 0
            ? graphMessages.no_match
            : place >= 0 && graphMessages.match(place + 1, matches.length))}
      </span>
    </search>
  )
}
