import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { taskMessages } from '../../../contract/tasks/client-messages.ts'
import type { TeamUser } from '../../../contract/users/calls.ts'
import { userMessages } from '../../../contract/users/client-messages.ts'
import { formatPart } from '../../lib/format.ts'
import { useSession } from '../../lib/session.ts'
import { useAddress } from '../../lib/use-address.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { EmptyState, LoadError, LoadingRows, NothingMatches } from '../../ui/states.tsx'
import { usersQuery } from './api.ts'
import { OwnAccount } from './components/own-account.tsx'
import { useDisable } from './components/use-disable.ts'
import { UserFilterBar } from './components/user-filter-bar.tsx'
import {
  filterUsers,
  readUserFilters,
  type UserFilters,
  writeUserFilters,
} from './components/user-filters.ts'
import { UserTable } from './components/user-table.tsx'

const DisableDialog = lazy(async () => ({
  default: (await import('./components/disable-dialog.tsx')).DisableDialog,
}))

const DisconnectDialog = lazy(async () => ({
  default: (await import('./components/disconnect-dialog.tsx')).DisconnectDialog,
}))

const back = { to: '/', label: 'Back to Home' }

/** The members of the team: state of their Google access, and whether colleagues may use it. */
export function UsersScreen() {
  const session = useSession()
  const query = useQuery(usersQuery)
  const [disabling, setDisabling] = useState<TeamUser | null>(null)
  const [disconnecting, setDisconnecting] = useState<TeamUser | null>(null)
  const { mutate: enable } = useDisable()
  const users = query.data ?? []
  const [params, changeAddress] = useAddress()
  const filters = readUserFilters(params)
  const show = (change: Partial<UserFilters>) =>
    changeAddress((before) => writeUserFilters({ ...readUserFilters(before), ...change }))
  const shown = filterUsers(users, filters)
  const me = users.find(({ id }) => id === session?.user?.id)
  return (
    <>
      <PageHeader
        title="Users"
        subtitle={query.data && formatPart(shown.length, users.length, 'person', 'people')}
        back={back}
      />
      {query.isError && (
        <LoadError message={taskMessages.fetch_users_failed} onRetry={() => query.refetch()} />
      )}
      {query.isPending && <LoadingRows rows={4} label="Loading users" />}
      {query.data?.length === 0 && <EmptyState title={userMessages.no_users} />}
      {me && <OwnAccount me={me} onDisconnect={() => setDisconnecting(me)} />}
      {users.length > 0 && <UserFilterBar filters={filters} onChange={show} />}
      {users.length > 0 && shown.length === 0 && (
        <NothingMatches
          title={userMessages.nothing_matches}
          onClear={() => changeAddress(() => new URLSearchParams())}
        />
      )}
      {shown.length > 0 && (
        <UserTable
          users={shown}
          me={me}
          onDisable={session?.is_admin ? setDisabling : null}
          onEnable={(user) => enable({ user, is_disabled: false })}
          onDisconnect={session?.is_admin ? setDisconnecting : null}
        />
      )}
      <Suspense>
        {disabling && <DisableDialog user={disabling} onClose={() => setDisabling(null)} />}
        {disconnecting && <DisconnectDialog user={disconnecting} onClose={() => setDisconnecting(null)} />}
      </Suspense>
    </>
  )
}
