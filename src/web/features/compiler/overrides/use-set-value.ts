import { useMutation, useQueryClient } from '@tanstack/react-query'
import { compilerOverrides } from '../../../../contract/overrides/calls.ts'
import { overrideMessages } from '../../../../contract/overrides/client-messages.ts'
import { call, type RequestOf } from '../../../lib/call.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { toast } from '../../../ui/toast.ts'
import { recordsChanged } from '../api.ts'
import type { RecordField } from '../records/record-fields.ts'
import { undoableToast } from './undo-overrides.ts'

type Body = RequestOf<typeof compilerOverrides.set>['body']
type Wanted = { value: Body['values'][number]['value'] } & Omit<Body, 'values'>

/** Where a value is set. */
export type OverriddenField = {
  config_id: number
  sku: string
  field: Pick<RecordField, 'name' | 'live_override'>
}

/** Sets the value of a field of one record, with a message that can take it back. */
export function useSetValue(
  { config_id, sku, field: { name, live_override } }: OverriddenField,
  onDone?: () => void,
) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ value, ...rest }: Wanted) =>
      call(compilerOverrides.set, {
        params: { id: config_id },
        body: { values: [{ sku, field: name, value, replaces: live_override?.id ?? null }], ...rest },
      }),
    onSuccess: ({ batch }) => {
      void undoableToast(client, { config_id, batch, message: overrideMessages.saved(name) })
      onDone?.()
    },
    onError: (error) => toast.error(reasonOf(error, overrideMessages.save_failed)),
    onSettled: () => recordsChanged(client, config_id),
  })
}
