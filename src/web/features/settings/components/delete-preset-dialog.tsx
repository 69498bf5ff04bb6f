import { useQueryClient } from '@tanstack/react-query'
import { type SyncPreset, syncPresets } from '../../../../contract/sync-presets/calls.ts'
import { presetMessages } from '../../../../contract/sync-presets/client-messages.ts'
import { call } from '../../../lib/call.ts'
import { DeleteDialog } from '../../../ui/delete-dialog.tsx'
import { presetsQuery } from '../api.ts'

type Props = { preset: SyncPreset; onClose: () => void }

/** Confirms the deletion of a preset. */
export function DeletePresetDialog({ preset: { id, name }, onClose }: Props) {
  const client = useQueryClient()
  return (
    <DeleteDialog
      question={presetMessages.confirm_delete_preset(name)}
      remove={() => call(syncPresets.delete, { params: { id } })}
      deleted={presetMessages.preset_deleted}
      failed={presetMessages.delete_preset_failed}
      onDeleted={() => client.invalidateQueries(presetsQuery)}
      onClose={onClose}
    />
  )
}
