import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { Token } from '../../../contract/tokens/calls.ts'
import { tokenMessages as messages } from '../../../contract/tokens/client-messages.ts'
import { AddButton } from '../../ui/add-button.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { EmptyState, LoadError, LoadingRows } from '../../ui/states.tsx'
import { tokensQuery } from './api.ts'
import { MadeToken } from './components/made-token.tsx'
import { TokenTable } from './components/token-table.tsx'

const NewTokenDialog = lazy(async () => ({
  default: (await import('./components/new-token-dialog.tsx')).NewTokenDialog,
}))

const RevokeDialog = lazy(async () => ({
  default: (await import('./components/revoke-dialog.tsx')).RevokeDialog,
}))

/** Tokens with which programs make calls as the signed-in user. A new token is shown until the page is left. */
export function TokensScreen() {
  const query = useQuery(tokensQuery)
  const [making, setMaking] = useState(false)
  const [made, setMade] = useState<string | null>(null)
  const [revoking, setRevoking] = useState<Token | null>(null)
  const has_some = query.data !== undefined && query.data.length > 0
  return (
    <>
      <PageHeader title={messages.title} subtitle={messages.hint} back={{ to: '/', label: 'Back to Home' }}>
        {has_some && (
          <AddButton blocked={making || revoking !== null} onAdd={() => setMaking(true)}>
            {messages.make}
          </AddButton>
        )}
      </PageHeader>
      {made !== null && <MadeToken token={made} />}
      {query.isError && <LoadError message={messages.fetch_failed} onRetry={() => query.refetch()} />}
      {query.isPending && <LoadingRows rows={3} label="Loading tokens" />}
      {query.data?.length === 0 && (
        <EmptyState title={messages.none_yet} hint={messages.none_yet_hint}>
          <Button onClick={() => setMaking(true)}>{messages.make}</Button>
        </EmptyState>
      )}
      {has_some && <TokenTable tokens={query.data} onRevoke={setRevoking} />}
      <Suspense>
        {making && <NewTokenDialog onMade={setMade} onClose={() => setMaking(false)} />}
        {revoking && <RevokeDialog token={revoking} onClose={() => setRevoking(null)} />}
      </Suspense>
    </>
  )
}
