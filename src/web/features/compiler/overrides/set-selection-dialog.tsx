import { NativeSelect } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { compilerOverrides } from '../../../../contract/overrides/calls.ts'
import { overrideMessages } from '../../../../contract/overrides/client-messages.ts'
import { call } from '../../../lib/call.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { toast } from '../../../ui/toast.ts'
import { recordsChanged } from '../api.ts'
import type { RecordFilters } from '../records/record-filters.ts'
import { undoableToast } from './undo-overrides.ts'
import { type TypedValue, ValueForm } from './value-form.tsx'

type Props = {
  config_id: number
  filters: RecordFilters
  fields: readonly string[]
  /** Chosen records; none: all that match. */
  skus: readonly string[]
  total: number
  onClose: () => void
}

/** Sets the value of one field for all records that match the filters. */
export function SetSelectionDialog({ config_id, filters, fields, skus, total: matching, onClose }: Props) {
  const total = skus.length || matching
  const client = useQueryClient()
  const [field, setField] = useState(fields[0] ?? '')
  const save = useMutation({
    mutationFn: (typed: TypedValue) =>
      call(compilerOverrides.setSelection, {
        params: { id: config_id },
        // Records stay chosen when the filters change.
        body: {
          ...(skus.length > 0 ? { filters: {}, skus: [...skus] } : { filters: sent(filters) }),
          field,
          ...typed,
        },
      }),
    onSuccess: ({ batch, set }) => {
      void undoableToast(client, { config_id, batch, message: overrideMessages.set_count(set) })
      onClose()
    },
    onError: (error) => toast.error(reasonOf(error, overrideMessages.save_failed)),
    onSettled: () => recordsChanged(client, config_id),
  })
  return (
    <Dialog title={overrideMessages.select_title(total)} onClose={onClose}>
      <NativeSelect
        label="Field"
        data={[...fields]}
        value={field}
        onChange={({ currentTarget }) => setField(currentTarget.value)}
      />
      <ValueForm
        initial={{ value: '', reason: '', ends_on: null }}
        label={overrideMessages.file_apply(total)}
        busy={save.isPending}
        onSubmit={save.mutate}
      />
    </Dialog>
  )
}

/** Numbers are texts in filters. */
const sent = (filters: RecordFilters) =>
  Object.fromEntries(Object.entries(filters).map(([name, value]) => [name, String(value)]))
