import { ActionIcon } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import type { Token } from '../../../../contract/tokens/calls.ts'
import { tokenMessages as messages } from '../../../../contract/tokens/client-messages.ts'
import { useTimeZone } from '../../../lib/session.ts'
import { formatDay, formatInZone } from '../../../lib/time-zone.ts'
import { Badge } from '../../../ui/badge.tsx'
import { CardTable } from '../../../ui/card-table.tsx'
import classes from './tokens.module.css'

type Props = { tokens: Token[]; onRevoke: (token: Token) => void }

/** The user's tokens. */
export function TokenTable({ tokens, onRevoke }: Props) {
  const zone = useTimeZone()
  return (
    <CardTable
      label={messages.title}
      keyOf={({ id }) => id}
      rows={tokens}
      columns={[
        {
          label: 'Name',
          cell: ({ name, hint }) => (
            <>
              {name} <span className={classes.hint}>…{hint}</span>
            </>
          ),
        },
        { label: 'Access', cell: ({ right }) => messages.rights[right].name },
        {
          label: 'Last used',
          cell: ({ last_used_at }) =>
            last_used_at === null ? (
              messages.never_used
            ) : (
              <time dateTime={last_used_at}>{formatInZone(last_used_at, zone)}</time>
            ),
        },
        {
          label: 'Expires',
          cell: ({ expires_at, is_expired }) =>
            is_expired ? (
              <Badge tone="error" label={messages.expired} />
            ) : (
              <time dateTime={expires_at}>{formatDay(expires_at, zone)}</time>
            ),
        },
        {
          label: 'Actions',
          place: 'corner',
          cell: (token) => (
            <ActionIcon aria-label={`Revoke ${token.name}`} title="Revoke" onClick={() => onRevoke(token)}>
              <IconTrash size={17} />
            </ActionIcon>
          ),
        },
      ]}
    />
  )
}
