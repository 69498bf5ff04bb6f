import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { failureActionMessages as messages } from '../../../contract/failures/dialog-messages.ts'
import { limits } from '../../../contract/limits.ts'
import { serverNow } from '../../lib/server-clock.ts'
import { useTimeZone } from '../../lib/session.ts'
import { zoneLabel } from '../../lib/time-zone.ts'
import { Dialog, DialogFooter } from '../../ui/dialog.tsx'
import { fieldValue, snoozeTime, snoozeTimes } from './snooze-times.ts'

type Props = { name: string; onSnooze: (until: string) => void; onClose: () => void }

/** Asks for the time until which something is snoozed; the field has the time zone of the schedules. */
export function SnoozeDialog({ name, onSnooze, onClose }: Props) {
  const zone = useTimeZone()
  const [value, setValue] = useState(() => fieldValue(snoozeTimes(serverNow(), zone).tomorrow, zone))
  const [error, setError] = useState<string | null>(null)
  const days = limits.snooze_days_max
  const save = (event: FormEvent) => {
    event.preventDefault()
    const until = snoozeTime(value, { now: serverNow(), zone, days })
    if (until === null) return setError(messages.time_invalid(days))
    onSnooze(until)
    onClose()
  }
  return (
    <Dialog title={messages.snooze_until} onClose={onClose}>
      <form onSubmit={save} noValidate>
        <p>{name}</p>
        <TextInput
          type="datetime-local"
          label={messages.time(zoneLabel(zone))}
          description={messages.snooze_hint}
          value={value}
          error={error}
          onChange={(event) => {
            setValue(event.currentTarget.value)
            setError(null)
          }}
          data-autofocus
        />
        <DialogFooter>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit">{messages.snooze}</Button>
        </DialogFooter>
      </form>
    </Dialog>
  )
}
