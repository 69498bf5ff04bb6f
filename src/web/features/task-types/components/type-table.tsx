import { ActionIcon } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import type { SyncTaskType } from '../../../../contract/task-types.ts'
import { formatNumber } from '../../../lib/format.ts'
import classes from './type-table.module.css'

type Props = {
  types: SyncTaskType[]
  onEdit: (type: SyncTaskType) => void
  onDelete: (type: SyncTaskType) => void
}

/** Sync task types: a table where there is room, cards on a phone. */
export function TypeTable({ types, onEdit, onDelete }: Props) {
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Dependency Chain</th>
          <th scope="col">Concurrent</th>
          <th scope="col">Queue Delay (s)</th>
          <th scope="col">Max Retries</th>
          <th scope="col">Retry Delay (s)</th>
          <th scope="col">Chunk Size</th>
          <th scope="col">Actions</th>
        </tr>
      </thead>
      <tbody>
        {types.map((type) => (
          <tr key={type.id}>
            <th scope="row">{type.name}</th>
            <td data-label="Dependency Chain">
              {type.dependency_chain.length > 0 ? type.dependency_chain.join(' → ') : 'No dependencies'}
            </td>
            <td data-label="Concurrent">{formatNumber(type.allowed_concurrent_tasks)}</td>
            <td data-label="Queue Delay (s)">{formatNumber(type.queue_delay_seconds)}</td>
            <td data-label="Max Retries">{formatNumber(type.max_retries)}</td>
            <td data-label="Retry Delay (s)">{formatNumber(type.retry_delay_seconds)}</td>
            <td data-label="Chunk Size">{formatNumber(type.chunk_size)}</td>
            <td className={classes.actions}>
              <ActionIcon aria-label={`Edit ${type.name}`} title="Edit" onClick={() => onEdit(type)}>
                <IconPencil size={17} />
              </ActionIcon>
              <ActionIcon aria-label={`Delete ${type.name}`} title="Delete" onClick={() => onDelete(type)}>
                <IconTrash size={17} />
              </ActionIcon>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
