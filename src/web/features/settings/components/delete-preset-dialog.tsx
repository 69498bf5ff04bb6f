import { useMutation, useQueryClient } from '@tanstack/react-query'
import { messages } from '../../../../contract/screen-messages.ts'
import { type SyncPreset, syncPresets } from '../../../../contract/sync-presets.ts'
import { call } from '../../../lib/call.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { toast } from '../../../ui/toast.ts'
import { presetsQuery } from '../api.ts'

/** Asks before a preset goes; one that tasks use stays, and the server says how many they are. */
export function DeletePresetDialog({ preset, onClose }: { preset: SyncPreset; onClose: () => void }) {
  const client = useQueryClient()
  const remove = useMutation({
    mutationFn: () => call(syncPresets.delete, { params: { id: preset.id } }),
    onSuccess: () => {
      toast.success(messages.preset_deleted)
      return client.invalidateQueries(presetsQuery)
    },
    onError: (error) => toast.error(reasonOf(error, messages.delete_preset_failed)),
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
      {messages.confirm_delete_preset(preset.name)}
    </ConfirmDialog>
  )
}
