import { Button, Checkbox, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { bulkMessages } from '../../../contract/bulk/client-messages.ts'
import { selectionDialogMessages as messages } from '../../../contract/selection/dialog-messages.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Dialog, DialogFooter } from '../../ui/dialog.tsx'
import { TimesField } from '../../ui/times-field.tsx'
import { RunDialog } from '../bulk/run-dialog.tsx'
import { keysOf } from '../cache/keys.ts'
import { AccountsField } from '../google/accounts-field.tsx'
import { useDescriptor } from '../task-descriptor.tsx'
import { AddTagDialog, type DialogProps, OwnerDialog, RemoveTagDialog } from './ownership-dialogs.tsx'
import classes from './selection-bar.module.css'

/** The actions that ask something. */
export type Asked =
  | 'run'
  | 'stop'
  | 'change_type'
  | 'change_schedule'
  | 'change_account'
  | 'change_owner'
  | 'add_tag'
  | 'remove_tag'
  | 'delete'

/** What an action on the selected tasks asks. */
export function SelectionDialog({ what, ...props }: DialogProps & { what: Asked }) {
  switch (what) {
    case 'run':
      return <RunSelected {...props} />
    case 'stop':
      return <StopDialog {...props} />
    case 'change_type':
      return <TypeDialog {...props} />
    case 'change_schedule':
      return <ScheduleDialog {...props} />
    case 'change_account':
      return <AccountDialog {...props} />
    case 'change_owner':
      return <OwnerDialog {...props} />
    case 'add_tag':
      return <AddTagDialog {...props} />
    case 'remove_tag':
      return <RemoveTagDialog {...props} />
    case 'delete':
      return <DeleteDialog {...props} />
  }
}

const RunSelected = ({ tasks, onChange, onClose }: DialogProps) => (
  <RunDialog
    title={bulkMessages.confirm('run', tasks.length)}
    confirm={bulkMessages.button('run', tasks.length)}
    tasks={tasks}
    onConfirm={() => onChange({ action: 'run' })}
    onClose={onClose}
  />
)

const StopDialog = ({ tasks, onChange, onClose }: DialogProps) => (
  <ConfirmDialog
    title={messages.confirm_stop(tasks.length)}
    confirm="Stop"
    busy={false}
    onConfirm={() => onChange({ action: 'stop' })}
    onClose={onClose}
  >
    {messages.confirm_stop_text}
  </ConfirmDialog>
)

function DeleteDialog({ tasks, onChange, onClose }: DialogProps) {
  const { texts } = useDescriptor()
  return (
    <ConfirmDialog
      title={messages.confirm_delete(tasks.length)}
      confirm="Delete"
      busy={false}
      onConfirm={() => onChange({ action: 'delete' })}
      onClose={onClose}
    >
      {messages.confirm_delete_text(tasks.length, texts.delete_keeps)}
    </ConfirmDialog>
  )
}

const NO_TYPE = 'none'

function TypeDialog({ tasks, onChange, onClose }: DialogProps) {
  const { calls, api, may_lack_type } = useDescriptor()
  const types = useQuery({
    queryKey: [...keysOf({ api }).list, 'types of the selection'],
    queryFn: ({ signal }) => calls.types(signal),
  }).data
  const [chosen, setChosen] = useState<string | null>(null)
  const options = (types ?? []).map(({ id, name }) => ({ value: String(id), label: name }))
  return (
    <Dialog title={messages.change_type(tasks.length)} onClose={onClose}>
      <Select
        label="Task type"
        data={may_lack_type ? [...options, { value: NO_TYPE, label: messages.no_type }] : options}
        value={chosen}
        onChange={setChosen}
        searchable
        data-autofocus
      />
      <DialogFooter>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          disabled={chosen === null}
          onClick={() =>
            onChange({ action: 'change_type', task_type_id: chosen === NO_TYPE ? null : Number(chosen) })
          }
        >
          Change type
        </Button>
      </DialogFooter>
    </Dialog>
  )
}

function ScheduleDialog({ tasks, onChange, onClose }: DialogProps) {
  const [times, setTimes] = useState<string[]>([])
  const [pending, setPending] = useState<'typed' | 'invalid' | null>(null)
  return (
    <Dialog title={messages.change_schedule(tasks.length)} onClose={onClose}>
      <TimesField
        label="Scheduled times"
        description={messages.change_schedule_text}
        value={times}
        onChange={setTimes}
        onPending={setPending}
      />
      <DialogFooter>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          disabled={pending !== null}
          onClick={() => onChange({ action: 'change_schedule', scheduled_times: times })}
        >
          Change schedule
        </Button>
      </DialogFooter>
    </Dialog>
  )
}

function AccountDialog({ tasks, onChange, onClose }: DialogProps) {
  const [own, setOwn] = useState(false)
  const [replaces, setReplaces] = useState(false)
  const [accounts, setAccounts] = useState<string[]>([])
  return (
    <Dialog title={messages.change_account(tasks.length)} onClose={onClose}>
      <div className={classes.choices}>
        <Checkbox
          label={messages.use_my_account}
          description={messages.use_my_account_text}
          checked={own}
          onChange={(event) => setOwn(event.currentTarget.checked)}
        />
        <Checkbox
          label={messages.change_other_accounts}
          checked={replaces}
          onChange={(event) => setReplaces(event.currentTarget.checked)}
        />
        {replaces && <AccountsField value={accounts} onChange={setAccounts} />}
      </div>
      <DialogFooter>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          disabled={!own && !replaces}
          onClick={() =>
            onChange({
              action: 'change_account',
              ...(own && { use_my_account: true }),
              ...(replaces && { relevant_user_accounts: accounts }),
            })
          }
        >
          Change account
        </Button>
      </DialogFooter>
    </Dialog>
  )
}
