import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Navigate } from 'react-router'
import { connectionMessages } from '../../../contract/connections/client-messages.ts'

import { usePathId } from '../../lib/path-id.ts'
import { LoadError, LoadingRows } from '../../ui/states.tsx'
import { connectionsQuery } from './connections/connection-calls.ts'

const ConnectionFormPage = lazy(async () => ({
  default: (await import('./connections/connection-form-page.tsx')).ConnectionFormPage,
}))

const loading = <LoadingRows label="Loading the connection" />

export const NewConnectionScreen = () => (
  <Suspense fallback={loading}>
    <ConnectionFormPage connection={null} />
  </Suspense>
)

/** Edits a connection; redirects to the settings if it was deleted. */
export function EditConnectionScreen() {
  const id = usePathId()
  const { data, isError, refetch } = useQuery(connectionsQuery)
  if (isError && !data)
    return <LoadError message={connectionMessages.fetch_failed} onRetry={() => refetch()} />
  if (!data) return loading
  const connection = data.find((one) => one.id === id)
  if (!connection) return <Navigate to="/settings" replace />
  return (
    <Suspense fallback={loading}>
      <ConnectionFormPage key={id} connection={connection} />
    </Suspense>
  )
}
