import { Button } from '@mantine/core'
import { logMessages } from '../../../contract/logs/client-messages.ts'
import { LoadError } from '../../ui/states.tsx'

type Props = {
  query: {
    hasNextPage: boolean
    isFetchNextPageError: boolean
    isFetchingNextPage: boolean
    fetchNextPage: () => unknown
  }
}

/** Button that loads older lines of a log; its failure can be retried. */
export function OlderLines({ query }: Props) {
  const { hasNextPage, isFetchNextPageError, isFetchingNextPage, fetchNextPage } = query
  if (isFetchNextPageError)
    return <LoadError message={logMessages.older_failed} onRetry={() => void fetchNextPage()} />
  if (!hasNextPage) return null
  return (
    <Button variant="default" fullWidth mt={12} loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
      {logMessages.older}
    </Button>
  )
}
