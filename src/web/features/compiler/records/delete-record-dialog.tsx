import { useQueryClient } from '@tanstack/react-query'
import type { CompilerConfig } from '../../../../contract/compiler-configs.ts'
import { compilerPageMessages as texts } from '../../../../contract/compiler-page-messages.ts'
import { compilerRecords } from '../../../../contract/compiler-records.ts'
import { call } from '../../../lib/call.ts'
import { DeleteDialog } from '../../../ui/delete-dialog.tsx'
import { recordQuery, recordsChanged } from '../api.ts'

type Props = { config: CompilerConfig; sku: string; onDeleted: () => void; onClose: () => void }

/** Asks before a record goes. */
export function DeleteRecordDialog({ config, sku, onDeleted, onClose }: Props) {
  const client = useQueryClient()
  const query = { compiler_config_id: String(config.id) }
  return (
    <DeleteDialog
      question={texts.confirm_delete_record(sku)}
      remove={() => call(compilerRecords.deleteRecord, { params: { sku }, query })}
      deleted={texts.record_deleted(sku)}
      failed={texts.delete_record_failed}
      onDeleted={() => {
        onDeleted()
        // it may be open still, and would be asked for once more
        client.removeQueries(recordQuery(config.id, sku))
        return recordsChanged(client, config.id)
      }}
      onClose={onClose}
    />
  )
}
