import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { decisionMessages as messages } from '../../../../contract/decisions/client-messages.ts'
import { Dialog, DialogFooter } from '../../../ui/dialog.tsx'
import classes from './decisions.module.css'
import type { DecisionFilters } from './decisions-query.ts'
import { useDecide } from './use-decide.ts'

type Props = {
  config_id: number
  filters: DecisionFilters
  sources: readonly { source_task_id: number; name: string }[]
  total: number
  onClose: () => void
}

/** Decides all open disagreements that match the filters. */
export function DecideAllDialog({
  config_id,
  filters: { field, source, text },
  sources,
  total,
  onClose,
}: Props) {
  const decide = useDecide(config_id)
  const [chosen, setChosen] = useState('')
  const [reason, setReason] = useState('')
  return (
    <Dialog title={messages.select_title(total)} onClose={onClose}>
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault()
          const source_task_id = chosen === '' ? null : Number(chosen)
          decide.mutate(
            { selection: { filters: { field, source, text }, source_task_id, reason } },
            { onSuccess: onClose },
          )
        }}
      >
        <NativeSelect
          label="Use"
          data-autofocus
          data={[
            { value: '', label: messages.select_current },
            ...sources.map(({ source_task_id, name }) => ({
              value: String(source_task_id),
              label: messages.select_source(name),
            })),
          ]}
          value={chosen}
          onChange={({ currentTarget }) => setChosen(currentTarget.value)}
        />
        <TextInput
          label="Reason (optional)"
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
        />
        <DialogFooter>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={decide.isPending}>
            Decide
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  )
}
