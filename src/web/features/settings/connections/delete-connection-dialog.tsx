import { useQueryClient } from '@tanstack/react-query'
import { type Connection, connections } from '../../../../contract/connections/calls.ts'
import { connectionMessages } from '../../../../contract/connections/client-messages.ts'
import { call } from '../../../lib/call.ts'
import { DeleteDialog } from '../../../ui/delete-dialog.tsx'
import { connectionsQuery } from './connection-calls.ts'

type Props = { connection: Connection; onClose: () => void }

/** Confirms the deletion of a connection. */
export function DeleteConnectionDialog({ connection: { id, name }, onClose }: Props) {
  const client = useQueryClient()
  return (
    <DeleteDialog
      question={connectionMessages.confirm_delete(name)}
      remove={() => call(connections.delete, { params: { id } })}
      deleted={connectionMessages.deleted}
      failed={connectionMessages.delete_failed}
      onDeleted={() =>
        Promise.all([
          client.invalidateQueries({ queryKey: [connections.names.path] }),
          client.invalidateQueries(connectionsQuery),
        ])
      }
      onClose={onClose}
    />
  )
}
