import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { taskMessages } from '../../../../contract/tasks/client-messages.ts'
import { userMessages } from '../../../../contract/users/client-messages.ts'

import { LoadError } from '../../../ui/states.tsx'
import { serviceAccountQuery } from '../api.ts'
import { ServiceAccountCard } from './service-account-card.tsx'
import { SettingsSection } from './settings-section.tsx'

/** The service account, if one is configured. */
export function ServiceAccountSection() {
  const query = useQuery(serviceAccountQuery)
  if (query.data?.address === null) return null
  return (
    <SettingsSection
      id="accounts"
      title={userMessages.service_account}
      hint={userMessages.service_account_hint}
      actions={null}
    >
      {query.isError && (
        <LoadError message={taskMessages.load_service_account_failed} onRetry={() => query.refetch()} />
      )}
      {query.isPending && (
        <Skeleton height={64} radius={6} role="status" aria-label="Loading the service account" />
      )}
      {query.data && <ServiceAccountCard service={query.data} address={query.data.address} />}
    </SettingsSection>
  )
}
