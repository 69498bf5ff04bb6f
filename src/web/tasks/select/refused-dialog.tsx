import type { BulkReply } from '../../../contract/bulk/calls.ts'
import { selectionDialogMessages as messages } from '../../../contract/selection/dialog-messages.ts'
import { Dialog } from '../../ui/dialog.tsx'

const MAX_SHOWN = 200

/** The tasks that an action refused, each with its reason. */
export const RefusedDialog = ({
  results,
  onClose,
}: {
  results: BulkReply['results']
  onClose: () => void
}) => (
  <Dialog title={messages.refused(results.length)} onClose={onClose} tall>
    <ul>
      {results.slice(0, MAX_SHOWN).map(({ id, name, message }) => (
        <li key={id}>{name === null ? message : `${name}: ${message}`}</li>
      ))}
      {results.length > MAX_SHOWN && <li>{messages.and_more(results.length - MAX_SHOWN)}</li>}
    </ul>
  </Dialog>
)
