import { ActionIcon } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import type { TaskType } from '../../../../contract/task-types.ts'
import { formatNumber } from '../../../lib/format.ts'
import { CardTable, type Column } from '../../../ui/card-table.tsx'

type Props = {
  label: string
  types: TaskType[]
  onEdit: (type: TaskType) => void
  onDelete: (type: TaskType) => void
}

const settings: [string, (type: TaskType) => number][] = [
  ['Concurrent', (type) => type.allowed_concurrent_tasks],
  ['Queue Delay (s)', (type) => type.queue_delay_seconds],
  ['Max Retries', (type) => type.max_retries],
  ['Retry Delay (s)', (type) => type.retry_delay_seconds],
  ['Chunk Size', (type) => type.chunk_size],
]

/** Task types: a table where there is room, cards on a phone. */
export function TypeTable({ label, types, onEdit, onDelete }: Props) {
  const columns: [Column<TaskType>, ...Column<TaskType>[]] = [
    { label: 'Name', cell: (type) => type.name },
    {
      label: 'Dependency Chain',
      cell: ({ dependency_chain: chain }) => (chain.length > 0 ? chain.join(' → ') : 'No dependencies'),
    },
    ...settings.map(
      ([label, value]): Column<TaskType> => ({
        label,
        cell: (type) => formatNumber(value(type)),
        place: 'end',
      }),
    ),
    {
      label: 'Actions',
      place: 'corner',
      cell: (type) => (
        <>
          <ActionIcon aria-label={`Edit ${type.name}`} title="Edit" onClick={() => onEdit(type)}>
            <IconPencil size={17} />
          </ActionIcon>
          <ActionIcon aria-label={`Delete ${type.name}`} title="Delete" onClick={() => onDelete(type)}>
            <IconTrash size={17} />
          </ActionIcon>
        </>
      ),
    },
  ]
  return <CardTable label={label} columns={columns} rows={types} keyOf={({ id }) => id} />
}
