import { MultiSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { limits } from '../../../contract/limits.ts'
import { useSession } from '../../lib/session.ts'
import { accountOptions } from './accounts.ts'
import { serviceAccountQuery, usersQuery } from './google-queries.ts'

type Props = {
  className?: string | undefined
  value: string[]
  error?: ReactNode
  onChange: (addresses: string[]) => void
  'data-path'?: string
}

/** Google accounts that the task may use in addition to the one that runs it. */
export function AccountsField({ value, ...rest }: Props) {
  const own_id = useSession()?.user?.id ?? null
  const team = useQuery(usersQuery).data ?? []
  const service = useQuery(serviceAccountQuery).data ?? null
  return (
    <MultiSelect
      label="Other Google accounts"
      description={
        service?.is_allowed
          ? 'Colleagues whose account these runs may use, and the service account'
          : 'Colleagues whose account these runs may use'
      }
      placeholder={value.length > 0 ? undefined : 'Choose accounts'}
      searchable
      hidePickedOptions
      nothingFoundMessage="No colleague with this name shares an account"
      maxValues={limits.accounts_max}
      data={accountOptions(team, own_id, value, service)}
      value={value}
      {...rest}
    />
  )
}
