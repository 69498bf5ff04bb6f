import { useMutation } from '@tanstack/react-query'
import type { SettingChange } from '../../../contract/setting-changes/calls.ts'
import { settingChangeMessages as messages } from '../../../contract/setting-changes/client-messages.ts'
import { CallError } from '../../lib/call.ts'
import { reasonOf } from '../../lib/query-client.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { toast } from '../../ui/toast.ts'
import classes from './setting-changes.module.css'

/** Sends a revert of a change, and refreshes what shows the task or type. */
export type Revert = (body: { change_id: number; updated_at: string; overwrite: boolean }) => Promise<unknown>

type Props = { change: SettingChange; version: string; revert: Revert; onClose: () => void }

/** Confirms a revert. If a later change set the same settings, its message names that, and a second press overwrites it. */
export function RevertDialog({ change, version, revert, onClose }: Props) {
  const sending = useMutation({
    mutationFn: (overwrite: boolean) => revert({ change_id: change.id, updated_at: version, overwrite }),
    onSuccess: () => {
      toast.success(messages.reverted)
      onClose()
    },
  })
  const isConflict = sending.error instanceof CallError && sending.error.code === 'changed_since'
  return (
    <ConfirmDialog
      title={messages.confirm_title}
      confirm={isConflict ? messages.revert_anyway : messages.revert}
      busy={sending.isPending}
      onConfirm={() => sending.mutate(isConflict)}
      onClose={onClose}
    >
      <p className={classes.question}>{messages.confirm}</p>
      <dl className={classes.values}>
        {change.fields.map(({ field, label, before }) => (
          <div key={field}>
            <dt>{label}</dt>
            <dd>{before}</dd>
          </div>
        ))}
      </dl>
      {sending.error && (
        <p className={classes.refusal} role="alert">
          {reasonOf(sending.error, messages.failed)}
        </p>
      )}
    </ConfirmDialog>
  )
}
