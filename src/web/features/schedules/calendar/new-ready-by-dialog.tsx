import { queryOptions, useQuery } from '@tanstack/react-query'
import { readyByMessages as messages } from '../../../../contract/forecast/client-messages.ts'
import { unifiedTaskTypes } from '../../../../contract/task-types/calls.ts'
import { call } from '../../../lib/call.ts'
import { ReadyByDialog } from '../../../tasks/ready-by/ready-by-dialog.tsx'

const typesQuery = queryOptions({
  queryKey: [unifiedTaskTypes.list.path, {}] as const,
  queryFn: ({ signal }) => call(unifiedTaskTypes.list, { query: {}, signal }),
  meta: { failure: messages.load_failed },
})

/** Sets a time for a type that is chosen in the dialog. */
export function NewReadyByDialog({ onClose }: { onClose: () => void }) {
  const { data } = useQuery(typesQuery)
  if (!data) return null
  const subjects = data.map(({ id, name }) => ({ kind: 'type' as const, id, name }))
  return <ReadyByDialog subjects={subjects} labelOf={({ name }) => name} onClose={onClose} />
}
