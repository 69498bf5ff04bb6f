import { memo } from 'react'
import type { TaskType } from '../../../../contract/task-types/calls.ts'
import type { TypeNode } from '../../../../contract/type-graph/calls.ts'
import { formatNumber } from '../../../lib/format.ts'
import { useTimeZone } from '../../../lib/session.ts'
import { formatMoment, zoneLabel } from '../../../lib/time-zone.ts'
import { Badge } from '../../../ui/badge.tsx'
import { useShowMore } from '../../../ui/show-more.tsx'
import { lastModified } from './last-modified.ts'
import classes from './type-cards.module.css'
import { TypeMenu } from './type-menu.tsx'
import { TypeWork } from './type-work.tsx'

const STEP = 60

type Props = {
  label: string
  types: TaskType[]
  /** The types with the states of their tasks, by id. */
  nodes: ReadonlyMap<number, TypeNode>
  onDelete: (type: TaskType) => void
}

/** Source types as cards, for narrow screens. */
export function TypeCards({ label, types, nodes, onDelete }: Props) {
  const zone = useTimeZone()
  const [shown, more] = useShowMore(types, STEP)
  return (
    <>
      <ul className={classes.grid} aria-label={label}>
        {shown.map((type) => (
          <TypeCard key={type.id} type={type} node={nodes.get(type.id)} zone={zone} onDelete={onDelete} />
        ))}
      </ul>
      {more}
    </>
  )
}

type CardProps = {
  type: TaskType
  node: TypeNode | undefined
  zone: string
  onDelete: (type: TaskType) => void
}

const TypeCard = memo(function TypeCard({ type, node, zone, onDelete }: CardProps) {
  const { name, group_name, description, cron_schedule, cron_words, next_run, dependencies, is_active } = type
  const facts: [string, string][] = []
  if (cron_words !== null) facts.push(['Schedule', cron_words])
  if (next_run !== null) facts.push(['Next run', `${formatMoment(next_run, zone)} ${zoneLabel(zone)}`])
  facts.push(['Dependencies', formatNumber(dependencies.length)])
  return (
    <li className={classes.card}>
      <div className={classes.head}>
        <span
          className={classes.dot}
          data-active={is_active || undefined}
          role="img"
          aria-label={is_active ? 'Active' : 'Inactive'}
        />
        <h2>{name}</h2>
        <TypeMenu type={type} onDelete={onDelete} />
      </div>
      {group_name && <p className={classes.group}>{group_name}</p>}
      {description && <p className={classes.description}>{description}</p>}
      <dl className={classes.facts}>
        {facts.map(([term, fact]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{fact}</dd>
          </div>
        ))}
      </dl>
      <TypeWork type={type} node={node} />
      <div className={classes.foot}>
        <Badge tone={is_active ? 'success' : 'neutral'} label={is_active ? 'Active' : 'Inactive'} />
        {cron_schedule !== null && <Badge tone="info" label="Scheduled" />}
        <span className={classes.modified}>{lastModified(type.updated_at, Date.now(), zone)}</span>
      </div>
    </li>
  )
})
