import { Select } from '@mantine/core'
import type { ReactNode } from 'react'
import type { TaskType } from '../../../../contract/task-types/calls.ts'
import { choicesOf } from './category.tsx'

type Props = {
  types: readonly TaskType[]
  /** The edited type, which cannot depend on itself. */
  type_id: number | undefined
  description?: string
  value?: string | null
  error?: ReactNode
  onChange?: (id: string | null) => void
}

/** Selects the first dependency of a type, of any category; can be cleared. */
export const DependsOnField = ({ types, type_id, ...rest }: Props) => (
  <Select
    label="Depends On"
    placeholder="None"
    searchable
    clearable
    // rendering thousands of options takes seconds
    limit={100}
    clearButtonProps={{ 'aria-label': 'Depend on nothing' }}
    nothingFoundMessage="No such type"
    data={choicesOf(types.filter(({ id }) => id !== type_id))}
    {...rest}
  />
)
