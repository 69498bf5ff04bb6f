import { MultiSelect } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { limits } from '../../../../contract/limits.ts'
import { useSession } from '../../../lib/session.ts'
import { accountOptions } from './accounts.ts'
import { serviceAccountQuery, usersQuery } from './choices.ts'
import classes from './task-fields.module.css'
import type { TaskValues } from './task-form.ts'

/** Whose Google access the task may use besides the account that runs it. */
export function AccountsField({ form }: { form: UseFormReturnType<TaskValues> }) {
  const own_id = useSession()?.user?.id ?? null
  const team = useQuery(usersQuery).data ?? []
  const service = useQuery(serviceAccountQuery).data ?? null
  const { relevant_user_accounts } = form.values
  return (
    <MultiSelect
      className={classes.wide}
      label="Relevant user accounts"
      description={
        service?.is_allowed
          ? 'People who share their account, and the service account; runs may use them, too'
          : 'People who share their account; runs may use it, too'
      }
      placeholder={relevant_user_accounts.length > 0 ? undefined : 'Choose accounts'}
      searchable
      hidePickedOptions
      nothingFoundMessage="Nobody of that name shares an account"
      maxValues={limits.accounts_max}
      data={accountOptions(team, own_id, relevant_user_accounts, service)}
      {...form.getInputProps('relevant_user_accounts')}
    />
  )
}
