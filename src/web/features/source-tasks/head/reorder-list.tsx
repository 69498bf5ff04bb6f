import { taskMessages } from '../../../../contract/tasks/client-messages.ts'
import { formatCount, formatNumber } from '../../../lib/format.ts'
import type { TypeGroup } from '../../../tasks/list/groups.ts'
import { StatusBadge } from '../../../tasks/state/status-badge.tsx'
import { useDescriptor } from '../../../tasks/task-descriptor.tsx'
import type { Task } from '../../../tasks/task-model.ts'
import type { SortableColumn } from '../../../ui/sortable-row.tsx'
import { SortableTable } from '../../../ui/sortable-table.tsx'
import classes from './reorder-list.module.css'
import { useReorder } from './use-reorder.ts'

/** All tasks in their sections, each of which can be reordered. */
export function ReorderList({ groups }: { groups: readonly TypeGroup[] }) {
  const reorder = useReorder()
  return (
    <>
      <p className={classes.hint}>{taskMessages.reorder_mode_on}</p>
      {groups.map((group) => (
        <section key={group.key} className={classes.section} aria-label={group.name}>
          <h2>
            {group.name} <small>{formatCount(group.tasks.length, 'task')}</small>
          </h2>
          <Section group={group} onReorder={reorder} />
        </section>
      ))}
    </>
  )
}

function Section({ group, onReorder }: { group: TypeGroup; onReorder: (ids: number[]) => void }) {
  const { statusOf } = useDescriptor()
  const places = new Map(group.tasks.map(({ id }, index) => [id, index + 1]))
  const columns: SortableColumn<Task & { id: number }>[] = [
    { label: '#', width: '56px', place: 'number', cell: ({ id }) => formatNumber(places.get(id) ?? 0) },
    { label: 'Name', width: 'minmax(0, 1fr)', place: 'name', cell: ({ name }) => name },
    { label: 'Status', width: '160px', cell: (task) => <StatusBadge status={statusOf(task)} /> },
  ]
  return (
    <SortableTable
      label={`Order of ${group.name}`}
      columns={columns}
      rows={group.tasks}
      onReorder={onReorder}
    />
  )
}
