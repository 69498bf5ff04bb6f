import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { overrideMessages } from '../../../../contract/overrides/client-messages.ts'
import classes from './overrides.module.css'

/** What a person typed for a field. */
export type TypedValue = { value: string; reason: string; ends_on: string | null }

type Props = { initial: TypedValue; label: string; busy: boolean; onSubmit: (typed: TypedValue) => void }

/** Fields for a value, its reason and its end date. */
export function ValueForm({ initial, label, busy, onSubmit }: Props) {
  const [typed, setTyped] = useState(initial)
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit(typed)
      }}
    >
      <TextInput
        label="Value"
        description={overrideMessages.set_hint}
        data-autofocus
        value={typed.value}
        onChange={({ currentTarget }) => setTyped({ ...typed, value: currentTarget.value })}
      />
      <TextInput
        label="Reason"
        value={typed.reason}
        onChange={({ currentTarget }) => setTyped({ ...typed, reason: currentTarget.value })}
      />
      <TextInput
        label="Last day (optional)"
        type="date"
        value={typed.ends_on ?? ''}
        onChange={({ currentTarget }) => setTyped({ ...typed, ends_on: currentTarget.value || null })}
      />
      <Button type="submit" size="xs" loading={busy}>
        {label}
      </Button>
    </form>
  )
}
