import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type TeamUser, users } from '../../../../contract/users/calls.ts'
import { userMessages } from '../../../../contract/users/client-messages.ts'
import { call } from '../../../lib/call.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { toast } from '../../../ui/toast.ts'
import { usersQuery } from '../api.ts'

/** Disables or enables a user. */
export function useDisable() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ user, is_disabled }: { user: TeamUser; is_disabled: boolean }) =>
      call(users.disable, { params: { id: user.id }, body: { is_disabled } }),
    onSuccess: ({ name, is_disabled }) => {
      toast.success(is_disabled ? userMessages.user_disabled(name) : userMessages.user_enabled(name))
      return client.invalidateQueries(usersQuery)
    },
    onError: (error) => toast.error(reasonOf(error, userMessages.disable_user_failed)),
  })
}
