import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { CompilerConfig } from '../../../../contract/compiler-configs.ts'
import { compilerPageMessages as texts } from '../../../../contract/compiler-page-messages.ts'
import { compilerRecords } from '../../../../contract/compiler-records.ts'
import { messages } from '../../../../contract/screen-messages.ts'
import { call } from '../../../lib/call.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { toast } from '../../../ui/toast.ts'
import { recordsChanged } from '../api.ts'

type Props = { config: CompilerConfig; sku: string; onDeleted: () => void; onClose: () => void }

/** Asks before a record goes. */
export function DeleteRecordDialog({ config, sku, onDeleted, onClose }: Props) {
  const client = useQueryClient()
  const remove = useMutation({
    mutationFn: () =>
      call(compilerRecords.deleteRecord, {
        params: { sku },
        query: { compiler_config_id: String(config.id) },
      }),
    onSuccess: () => {
      toast.success(texts.record_deleted(sku))
      onDeleted()
      return recordsChanged(client, config.id)
    },
    onError: (error) => toast.error(reasonOf(error, texts.delete_record_failed)),
    onSettled: onClose,
  })
  return (
    <ConfirmDialog
      title={messages.confirm_deletion}
      confirm="Delete"
      busy={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      {texts.confirm_delete_record(sku)}
    </ConfirmDialog>
  )
}
