import { Avatar, Button } from '@mantine/core'
import type { TeamUser } from '../../../../contract/users/calls.ts'
import { formatNumber } from '../../../lib/format.ts'
import { useTimeZone } from '../../../lib/session.ts'
import { formatInZone } from '../../../lib/time-zone.ts'
import { Badge } from '../../../ui/badge.tsx'
import { CardTable } from '../../../ui/card-table.tsx'
import { grantBadge } from './grant-badge.ts'
import classes from './user-table.module.css'

type Props = {
  users: TeamUser[]
  /** The signed-in user. */
  me: TeamUser | undefined
  /** Null without the permission. */
  onDisable: ((user: TeamUser) => void) | null
  onEnable: (user: TeamUser) => void
  /** Null without the permission. */
  onDisconnect: ((user: TeamUser) => void) | null
}

/** All users who have signed in. */
export function UserTable({ users, me, onDisable, onEnable, onDisconnect }: Props) {
  const zone = useTimeZone()
  const isMe = (user: TeamUser) => user.id === me?.id
  return (
    <CardTable
      label="Users"
      keyOf={({ id }) => id}
      rows={users}
      columns={[
        { label: 'Name', cell: (user) => <Person user={user} is_me={isMe(user)} /> },
        {
          label: 'Last sign-in',
          cell: ({ last_sign_in_at }) => (
            <time dateTime={last_sign_in_at}>{formatInZone(last_sign_in_at, zone)}</time>
          ),
        },
        {
          label: 'Google access',
          cell: (user) => <Access user={user} onDisconnect={isMe(user) ? null : onDisconnect} />,
        },
        { label: 'Shared with colleagues', cell: ({ shares_grant }) => (shares_grant ? 'Yes' : 'No') },
        { label: 'Tasks', cell: ({ tasks_count }) => formatNumber(tasks_count), place: 'end' },
        ...(onDisable
          ? [
              {
                label: 'Actions',
                place: 'corner' as const,
                cell: (user: TeamUser) =>
                  !isMe(user) && <DisableButton user={user} onDisable={onDisable} onEnable={onEnable} />,
              },
            ]
          : []),
      ]}
    />
  )
}

function Person({ user, is_me }: { user: TeamUser; is_me: boolean }) {
  return (
    <span className={classes.person} data-disabled={user.is_disabled}>
      <Avatar
        src={user.picture}
        name={user.name}
        size={36}
        alt=""
        imageProps={{ referrerPolicy: 'no-referrer' }}
      />
      <span>
        {user.name} {is_me && <span className={classes.you}>(you)</span>}{' '}
        {user.is_disabled && <Badge tone="neutral" label="Disabled" />}
        <span className={classes.email}>{user.email}</span>
      </span>
    </span>
  )
}

function Access({ user, onDisconnect }: { user: TeamUser; onDisconnect: Props['onDisconnect'] }) {
  const badge = <Badge {...grantBadge(user.grant)} />
  if (!onDisconnect || (user.grant !== 'connected' && user.grant !== 'revoked')) return badge
  return (
    <span className={classes.access}>
      {badge}
      <Button
        size="compact-sm"
        variant="subtle"
        aria-label={`Disconnect Google of ${user.name}`}
        onClick={() => onDisconnect(user)}
      >
        Disconnect
      </Button>
    </span>
  )
}

type ButtonProps = { user: TeamUser; onDisable: (user: TeamUser) => void; onEnable: (user: TeamUser) => void }

const DisableButton = ({ user, onDisable, onEnable }: ButtonProps) => (
  <Button
    size="compact-sm"
    variant="default"
    aria-label={`${user.is_disabled ? 'Enable' : 'Disable'} ${user.name}`}
    onClick={() => (user.is_disabled ? onEnable(user) : onDisable(user))}
  >
    {user.is_disabled ? 'Enable' : 'Disable'}
  </Button>
)
