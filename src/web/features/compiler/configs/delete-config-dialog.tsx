import { useMutation, useQueryClient } from '@tanstack/react-query'
import { compiler } from '../../../../contract/compiler.ts'
import type { CompilerConfig } from '../../../../contract/compiler-configs.ts'
import { compilerPageMessages as texts } from '../../../../contract/compiler-page-messages.ts'
import { messages } from '../../../../contract/screen-messages.ts'
import { call } from '../../../lib/call.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { toast } from '../../../ui/toast.ts'
import { configsQuery } from '../api.ts'

type Props = { config: CompilerConfig; onDeleted?: () => void; onClose: () => void }

/** Asks before a configuration goes; one that is used stays, and the server names who uses it. */
export function DeleteConfigDialog({ config, onDeleted, onClose }: Props) {
  const client = useQueryClient()
  const remove = useMutation({
    mutationFn: () => call(compiler.deleteConfig, { params: { id: config.id } }),
    onSuccess: () => {
      toast.success(texts.deleted)
      onDeleted?.()
      return client.invalidateQueries(configsQuery)
    },
    onError: (error) => toast.error(reasonOf(error, texts.delete_failed)),
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
      {texts.confirm_delete(config.name)}
    </ConfirmDialog>
  )
}
