import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { taskDialogMessages as messages } from '../../../contract/tasks/dialog-messages.ts'
import { usersQuery } from '../google/google-queries.ts'
import { ownerOptions } from './owner-options.ts'

type Props = {
  value: string | null
  error?: ReactNode
  onChange: (id: string | null) => void
  'data-path'?: string
}

/** The responsible user of a task. Disabled users are offered only if they are the current owner. */
export function OwnerField(props: Props) {
  const users = useQuery(usersQuery).data ?? []
  return (
    <Select
      label="Owner"
      description={messages.owner_hint}
      placeholder={messages.owner_nobody}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'Clear owner' }}
      nothingFoundMessage={messages.owner_unknown}
      data={ownerOptions(users, props.value)}
      {...props}
    />
  )
}
