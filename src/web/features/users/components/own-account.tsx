import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type TeamUser, users } from '../../../../contract/users/calls.ts'
import { userMessages } from '../../../../contract/users/client-messages.ts'
import { call } from '../../../lib/call.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { Switch } from '../../../ui/switch.tsx'
import { toast } from '../../../ui/toast.ts'
import { reconnectAddress, usersQuery } from '../api.ts'
import classes from './own-account.module.css'

/** The user's own Google account: whether colleagues' tasks may use it, and a link to reconnect it. */
export function OwnAccount({ me, onDisconnect }: { me: TeamUser; onDisconnect: () => void }) {
  const client = useQueryClient()
  const share = useMutation({
    mutationFn: (shares_grant: boolean) => call(users.shareGrant, { body: { shares_grant } }),
    onSuccess: ({ shares_grant }) => {
      toast.success(shares_grant ? userMessages.grant_shared : userMessages.grant_withdrawn)
      return client.invalidateQueries(usersQuery)
    },
    onError: (error) => toast.error(reasonOf(error, userMessages.share_grant_failed)),
  })
  return (
    <section className={classes.card} aria-label="Your account">
      {me.grant !== 'connected' && (
        <p className={classes.problem} role="alert">
          <IconAlertTriangle size={18} aria-hidden />
          <span>
            {me.grant === 'disconnecting' ? userMessages.grant_disconnecting : userMessages.grant_missing}
          </span>
          <Button component="a" href={reconnectAddress(me.email)} size="xs">
            Reconnect
          </Button>
        </p>
      )}
      <Switch
        label={userMessages.share_grant_label}
        showLabel
        checked={share.isPending ? share.variables : me.shares_grant}
        locked={share.isPending}
        onChange={(shares) => share.mutate(shares)}
      />
      <p className={classes.hint}>{userMessages.share_grant_hint}</p>
      {(me.grant === 'connected' || me.grant === 'revoked') && (
        <p className={classes.disconnect}>
          <Button size="xs" variant="default" onClick={onDisconnect}>
            {userMessages.disconnect_google}
          </Button>
          <span>{userMessages.disconnect_hint}</span>
        </p>
      )}
    </section>
  )
}
