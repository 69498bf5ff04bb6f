import { Select } from '@mantine/core'
import type { ReactNode } from 'react'
import type { TaskType } from '../../../../contract/task-types/calls.ts'
import { choicesOf } from './category.tsx'

type Props = {
  types: readonly TaskType[]
  /** The type that is edited, which does not depend on itself. */
  type_id: number | undefined
  description?: string
  value?: string | null
  error?: ReactNode
  onChange?: (id: string | null) => void
}

/** The first type that a type depends on, of any category; or none. */
export const DependsOnField = ({ types, type_id, ...rest }: Props) => (
  <Select
    label="Depends On"
    placeholder="None"
    searchable
    clearable
    // drawing thousands at once takes seconds
    limit={100}
    clearButtonProps={{ 'aria-label': 'Depend on nothing' }}
    nothingFoundMessage="No such type"
    data={choicesOf(types.filter(({ id }) => id !== type_id))}
    {...rest}
  />
)
