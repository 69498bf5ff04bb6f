import { useQueryClient } from '@tanstack/react-query'
import { compilerMessages } from '../../../../contract/compiler/client-messages.ts'
import type { CompilerConfig } from '../../../../contract/compiler/configs.ts'

import { compilerRecords, recordOf } from '../../../../contract/compiler/records.ts'
import { call } from '../../../lib/call.ts'
import { DeleteDialog } from '../../../ui/delete-dialog.tsx'
import { recordQuery, recordsChanged } from '../api.ts'

type Props = { config: CompilerConfig; sku: string; onDeleted: () => void; onClose: () => void }

/** Confirms the deletion of a record. */
export function DeleteRecordDialog({ config, sku, onDeleted, onClose }: Props) {
  const client = useQueryClient()
  return (
    <DeleteDialog
      question={compilerMessages.confirm_delete_record(sku)}
      remove={() => call(compilerRecords.deleteRecord, recordOf(config.id, sku))}
      deleted={compilerMessages.record_deleted(sku)}
      failed={compilerMessages.delete_record_failed}
      onDeleted={() => {
        onDeleted()
        // A closing record dialog is still mounted: removing its query would refetch the deleted record.
        client.removeQueries({ queryKey: recordQuery(config.id, sku).queryKey, type: 'inactive' })
        return recordsChanged(client, config.id, sku)
      }}
      onClose={onClose}
    />
  )
}
