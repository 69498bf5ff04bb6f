import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { connections } from '../../../../contract/connections/calls.ts'
import { connectionMessages } from '../../../../contract/connections/client-messages.ts'
import { call } from '../../../lib/call.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { toast } from '../../../ui/toast.ts'
import { hostsQuery } from './connection-calls.ts'

/** Button that adds a host to the allowed hosts. */
export function AllowHost({ host, onAllowed }: { host: string; onAllowed: () => void }) {
  const client = useQueryClient()
  const allow = useMutation({
    mutationFn: () => call(connections.allowHost, { body: { host } }),
    onSuccess: (entry) => {
      toast.success(connectionMessages.allowed(entry.host))
      void client.invalidateQueries(hostsQuery)
      onAllowed()
    },
    onError: (error) => toast.error(reasonOf(error, connectionMessages.allow_failed)),
  })
  return (
    <Button size="compact-sm" variant="default" loading={allow.isPending} onClick={() => allow.mutate()}>
      {connectionMessages.allow(host)}
    </Button>
  )
}
