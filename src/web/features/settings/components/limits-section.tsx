import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { limitMessages as messages } from '../../../../contract/run-limits/client-messages.ts'
import { LoadError, LoadingRows } from '../../../ui/states.tsx'
import { limitDefaultsQuery } from '../api.ts'
import { SettingsSection } from './settings-section.tsx'

const DefaultLimitsForm = lazy(async () => ({
  default: (await import('./default-limits-form.tsx')).DefaultLimitsForm,
}))

/** Limits of sync tasks that do not set their own. */
export function LimitsSection() {
  const query = useQuery(limitDefaultsQuery)
  const loading = <LoadingRows rows={2} label={messages.loading} />
  return (
    <SettingsSection id="limits" title={messages.title} hint={messages.defaults_hint} actions={null}>
      {query.isError && !query.data && (
        <LoadError message={messages.load_failed} onRetry={() => query.refetch()} />
      )}
      {query.isPending && loading}
      <Suspense fallback={loading}>{query.data && <DefaultLimitsForm saved={query.data} />}</Suspense>
    </SettingsSection>
  )
}
