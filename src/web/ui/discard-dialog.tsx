import { messages } from '../../contract/page-messages.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'

/** Asks before what was typed is lost. */
export const DiscardDialog = ({ onKeep, onDiscard }: { onKeep: () => void; onDiscard: () => void }) => (
  <ConfirmDialog
    title={messages.discard_changes}
    cancel="Keep editing"
    confirm="Discard"
    busy={false}
    onConfirm={onDiscard}
    onClose={onKeep}
  >
    {messages.discard_changes_text}
  </ConfirmDialog>
)
