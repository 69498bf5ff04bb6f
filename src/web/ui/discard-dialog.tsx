import { frameMessages } from '../../contract/system/client-messages.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'

/** Confirmation before unsaved input is discarded. */
export const DiscardDialog = ({ onKeep, onDiscard }: { onKeep: () => void; onDiscard: () => void }) => (
  <ConfirmDialog
    title={frameMessages.discard_changes}
    cancel="Keep editing"
    confirm="Discard"
    busy={false}
    onConfirm={onDiscard}
    onClose={onKeep}
  >
    {frameMessages.discard_changes_text}
  </ConfirmDialog>
)
