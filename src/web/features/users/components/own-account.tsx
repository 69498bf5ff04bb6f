import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { messages } from '../../../../contract/screen-messages.ts'
import { type TeamUser, users } from '../../../../contract/users.ts'
import { call } from '../../../lib/call.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { Switch } from '../../../ui/switch.tsx'
import { toast } from '../../../ui/toast.ts'
import { reconnectAddress, usersQuery } from '../api.ts'
import classes from './own-account.module.css'

/** The signed-in person's own account: whether colleagues' tasks may use it, and the way back to a revoked access. */
export function OwnAccount({ me, onDisconnect }: { me: TeamUser; onDisconnect: () => void }) {
  const client = useQueryClient()
  const share = useMutation({
    mutationFn: (shares_grant: boolean) => call(users.shareGrant, { body: { shares_grant } }),
    onSuccess: ({ shares_grant }) => {
      toast.success(shares_grant ? messages.grant_shared : messages.grant_withdrawn)
      return client.invalidateQueries(usersQuery)
    },
    onError: (error) => toast.error(reasonOf(error, messages.share_grant_failed)),
  })
  return (
    <section className={classes.card} aria-label="Your account">
      {me.grant !== 'connected' && (
        <p className={classes.problem} role="alert">
          <IconAlertTriangle size={18} aria-hidden />
          <span>{me.grant === 'disconnecting' ? messages.grant_disconnecting : messages.grant_missing}</span>
          <Button component="a" href={reconnectAddress(me.email)} size="xs">
            Reconnect
          </Button>
        </p>
      )}
      <Switch
        label={messages.share_grant_label}
        showLabel
        checked={share.isPending ? share.variables : me.shares_grant}
        locked={share.isPending}
        onChange={(shares) => share.mutate(shares)}
      />
      <p className={classes.hint}>{messages.share_grant_hint}</p>
      {(me.grant === 'connected' || me.grant === 'revoked') && (
        <p className={classes.disconnect}>
          <Button size="xs" variant="default" onClick={onDisconnect}>
            {messages.disconnect_google}
          </Button>
          <span>{messages.disconnect_hint}</span>
        </p>
      )}
    </section>
  )
}
