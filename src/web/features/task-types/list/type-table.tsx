import { ActionIcon } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { TaskType } from '../../../../contract/task-types/calls.ts'
import { taskTypeMessages } from '../../../../contract/task-types/client-messages.ts'
import { formatNumber } from '../../../lib/format.ts'
import type { SortableColumn } from '../../../ui/sortable-row.tsx'
import { SortableTable } from '../../../ui/sortable-table.tsx'
import type { NumberSetting } from '../api.ts'

type Props = {
  label: string
  types: TaskType[]
  numbers: readonly NumberSetting[]
  /** Position in the whole list, from 1, if the table shows positions. */
  placeOf?: (type: TaskType) => number
  /** Content beside and below the name. */
  marks?: (type: TaskType) => ReactNode
  /** Actions other than edit and delete. */
  more?: (type: TaskType) => ReactNode
  onEdit: (type: TaskType) => void
  onDelete: (type: TaskType) => void
  onReorder: ((ids: number[]) => void) | null
}

const titles: Record<NumberSetting, string> = {
  allowed_concurrent_tasks: 'Concurrent',
  queue_delay_seconds: 'Queue Delay (s)',
  max_retries: 'Max Retries',
  retry_delay_seconds: 'Retry Delay (s)',
  chunk_size: 'Chunk Size',
}

/** Types of one category, as a table or as cards on a phone; rows are reordered by their handles. */
export function TypeTable(props: Props) {
  const { label, types, numbers, placeOf, marks, more, onEdit, onDelete, onReorder } = props
  const place: SortableColumn<TaskType>[] = placeOf
    ? [{ label: '#', width: '56px', place: 'number', cell: (type) => formatNumber(placeOf(type)) }]
    : []
  const columns: SortableColumn<TaskType>[] = [
    ...place,
    {
      label: 'Name',
      width: 'minmax(0, 3fr)',
      place: 'name',
      cell: (type) => (
        <>
          {type.name} {marks?.(type)}
        </>
      ),
    },
    {
      label: 'Dependency Chain',
      width: 'minmax(0, 3fr)',
      cell: ({ dependency_chain: chain }) =>
        chain.length > 0 ? chain.toReversed().join(' → ') : taskTypeMessages.no_dependencies,
    },
    ...numbers.map(
      (name): SortableColumn<TaskType> => ({
        label: titles[name],
        width: 'minmax(84px, 1.2fr)',
        cell: (type) => formatNumber(type[name]),
        place: 'end',
      }),
    ),
    {
      label: 'Actions',
      width: more ? '144px' : '112px',
      place: 'corner',
      cell: (type) => (
        <>
          <ActionIcon aria-label={`Edit ${type.name}`} title="Edit" onClick={() => onEdit(type)}>
            <IconPencil size={17} />
          </ActionIcon>
          <ActionIcon aria-label={`Delete ${type.name}`} title="Delete" onClick={() => onDelete(type)}>
            <IconTrash size={17} />
          </ActionIcon>
          {more?.(type)}
        </>
      ),
    },
  ]
  return <SortableTable label={label} columns={columns} rows={types} onReorder={onReorder} />
}
