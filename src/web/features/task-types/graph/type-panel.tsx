import { Button } from '@mantine/core'
import { IconListDetails, IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { Link } from 'react-router'
import { csvJobMessages } from '../../../../contract/csv-jobs/client-messages.ts'
import type { ActionReply, DependencyCondition } from '../../../../contract/tasks/schemas.ts'
import type { TypeGraph, TypeNode } from '../../../../contract/type-graph/calls.ts'
import { graphMessages } from '../../../../contract/type-graph/client-messages.ts'
import { formatCount } from '../../../lib/format.ts'
import { errorFieldOf } from '../../../lib/query-client.ts'
import { useServerSecond } from '../../../lib/use-server-second.ts'
import { toastReply } from '../../../tasks/actions/toast-reply.ts'
import { waitText } from '../../../tasks/state/wait-labels.ts'
import { Badge } from '../../../ui/badge.tsx'
import { toast } from '../../../ui/toast.ts'
import { runGroup, stopGroup } from '../api.ts'
import { categoryLabels, liveTasks, statesOf, tasksOf } from './type-labels.ts'
import classes from './type-panel.module.css'

// compiler types have no task list
const tasksPaths: Partial<Record<TypeNode['task_category'], string>> = {
  sync: '/sync_tasks',
  source: '/source_tasks',
}

type Props = {
  node: TypeNode
  /** The whole graph, because hidden types can be prerequisites. */
  graph: TypeGraph
  onSelect: (id: number) => void
}

/** Details of a type: tasks, blockers, dependencies, dependents and actions. */
export function TypePanel({ node, graph, onSelect }: Props) {
  const { label, icon: Icon } = categoryLabels[node.task_category]
  const tasksPath = tasksPaths[node.task_category]
  const byId = new Map(graph.nodes.map((one) => [one.id, one]))
  const neighbours = (end: 'from' | 'to', other: 'from' | 'to') =>
    graph.edges
      .filter((edge) => edge[end] === node.id)
      .flatMap((edge) => {
        const type = byId.get(edge[other])
        return type ? [{ type, condition: edge.condition }] : []
      })
  return (
    <section className={classes.panel} aria-label={node.name}>
      <h3>{node.name}</h3>
      <p className={classes.meta}>
        <span className={classes.category} data-category={node.task_category}>
          <Icon size={14} aria-hidden /> {label}
        </span>
        {!node.is_active && <span>{graphMessages.inactive_type}</span>}
        <span>{formatCount(tasksOf(node), 'task')}</span>
      </p>
      <div className={classes.states} aria-live="polite">
        {statesOf(node).map(({ label, tone, count }) => (
          <Badge key={label} tone={tone} label={label} count={count} />
        ))}
      </div>
      <div className={classes.actions}>
        <GroupButtons node={node} />
        {tasksPath && (
          <Button
            component={Link}
            to={`${tasksPath}?type=${node.id}`}
            variant="default"
            size="xs"
            leftSection={<IconListDetails size={15} aria-hidden />}
          >
            Open tasks
          </Button>
        )}
      </div>
      <Waits node={node} nameOf={(id) => byId.get(id)?.name ?? ''} />
      <Neighbours title="Runs after" types={neighbours('to', 'from')} onSelect={onSelect} />
      <Neighbours title="Then" types={neighbours('from', 'to')} onSelect={onSelect} />
    </section>
  )
}

function GroupButtons({ node }: { node: TypeNode }) {
  const run = useGroupAction(runGroup, csvJobMessages.run_task_group_failed)
  const stop = useGroupAction(stopGroup, csvJobMessages.stop_task_group_failed)
  const live = liveTasks(node)
  return (
    <>
      <Button
        size="xs"
        leftSection={<IconPlayerPlay size={15} aria-hidden />}
        aria-label={`Run Group ${node.name}`}
        disabled={tasksOf(node) === live}
        loading={run.isPending}
        onClick={() => run.mutate(node.id)}
      >
        Run Group
      </Button>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconPlayerStop size={15} aria-hidden />}
        aria-label={`Stop Group ${node.name}`}
        disabled={live === 0}
        loading={stop.isPending}
        onClick={() => stop.mutate(node.id)}
      >
        Stop Group
      </Button>
    </>
  )
}

/** Runs an action on the tasks of a type; the event stream reports the results. */
const useGroupAction = (act: (type_id: number) => Promise<ActionReply>, failed: string) =>
  useMutation({
    mutationFn: act,
    onSuccess: toastReply,
    onError: (error) => toast.error(errorFieldOf(error, failed)),
  })

function Waits({ node, nameOf }: { node: TypeNode; nameOf: (id: number) => string }) {
  const now = useServerSecond()
  const lines = node.queue.map(({ wait, runs }) => graphMessages.runs_queued(runs, waitText(wait, null, now)))
  if (node.queue.length === 0 && node.ahead.length > 0)
    lines.push(graphMessages.runs_come_after(node.ahead.map(nameOf)))
  if (node.ahead.length === 0 && node.unmet.length > 0) lines.push(graphMessages.runs_would_fail(node.unmet))
  return (
    <>
      <h4>Waits for</h4>
      <ul className={classes.lines}>
        {(lines.length > 0 ? lines : [graphMessages.nothing_in_the_way]).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </>
  )
}

type NeighboursProps = {
  title: string
  types: { type: TypeNode; condition: DependencyCondition }[]
  onSelect: (id: number) => void
}

function Neighbours({ title, types, onSelect }: NeighboursProps) {
  if (types.length === 0) return null
  return (
    <>
      <h4>{title}</h4>
      <ul className={classes.lines}>
        {types.map(({ type, condition }) => (
          <li key={type.id}>
            <button type="button" className={classes.link} onClick={() => onSelect(type.id)}>
              {type.name}
            </button>{' '}
            <small>
              {condition === 'success' ? graphMessages.condition_success : graphMessages.condition_completion}
            </small>
          </li>
        ))}
      </ul>
    </>
  )
}
