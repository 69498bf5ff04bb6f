import { useQueryClient } from '@tanstack/react-query'
import { messages } from '../../../../contract/screen-messages.ts'
import { type SyncPreset, syncPresets } from '../../../../contract/sync-presets.ts'
import { call } from '../../../lib/call.ts'
import { DeleteDialog } from '../../../ui/delete-dialog.tsx'
import { presetsQuery } from '../api.ts'

type Props = { preset: SyncPreset; onClose: () => void }

/** Asks before a preset goes. */
export function DeletePresetDialog({ preset: { id, name }, onClose }: Props) {
  const client = useQueryClient()
  return (
    <DeleteDialog
      question={messages.confirm_delete_preset(name)}
      remove={() => call(syncPresets.delete, { params: { id } })}
      deleted={messages.preset_deleted}
      failed={messages.delete_preset_failed}
      onDeleted={() => client.invalidateQueries(presetsQuery)}
      onClose={onClose}
    />
  )
}
