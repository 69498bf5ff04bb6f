import { Button, Select, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { fieldMessages } from '../../../contract/field-messages.ts'
import { TimeOfDay } from '../../../contract/fields.ts'
import { readyByMessages as messages } from '../../../contract/forecast/client-messages.ts'
import { reasonOf } from '../../lib/query-client.ts'
import { useTimeZone } from '../../lib/session.ts'
import { zoneLabel } from '../../lib/time-zone.ts'
import { DialogFooter } from '../../ui/dialog.tsx'
import { CancelButton, FormDialog } from '../../ui/form-dialog.tsx'
import { FormNotice } from '../../ui/form-notice.tsx'
import { toast } from '../../ui/toast.ts'
import { ForecastLine } from './forecast-line.tsx'
import classes from './ready-by.module.css'
import { type ReadySubject, readyByQuery, saveReadyBy, subjectKey } from './ready-by-calls.ts'

type Props = {
  /** What a time can be set for; the first is chosen. */
  subjects: readonly ReadySubject[]
  /** Names of the subjects in the choice. */
  labelOf: (subject: ReadySubject) => string
  onClose: () => void
}

/** Sets, changes and removes the time by which a task, a type or a target has to be ready. */
export function ReadyByDialog({ subjects, labelOf, onClose }: Props) {
  const client = useQueryClient()
  const zone = useTimeZone()
  const entries = useQuery(readyByQuery).data ?? []
  const [first] = subjects
  const [chosen, setChosen] = useState(first ? subjectKey(first) : null)
  const [typed, setTyped] = useState<string | null>(null)
  const subject = subjects.find((one) => subjectKey(one) === chosen)
  const entry = entries.find((one) => subjectKey(one) === chosen)
  const time = typed ?? entry?.ready_by ?? ''
  const [refusal, setRefusal] = useState<string | null>(null)
  const save = useMutation({
    mutationFn: async (ready_by: string | null) => subject && saveReadyBy(subject, ready_by),
    onSuccess: async (reply) => {
      await client.invalidateQueries({ queryKey: readyByQuery.queryKey })
      if (reply) toast.success(reply.message)
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // A dialog is part of the form around it for React.
    event.stopPropagation()
    const parsed = TimeOfDay.safeParse(time)
    if (parsed.success) save.mutate(parsed.data)
    else setRefusal(fieldMessages.time_invalid)
  }
  return (
    <FormDialog title={messages.title} onClose={onClose} dirty={typed !== null && typed !== entry?.ready_by}>
      <form noValidate onSubmit={submit} className={classes.form}>
        <FormNotice
          problem={save.error ? reasonOf(save.error, messages.save_failed) : null}
          notice={null}
          onLoadAgain={null}
        />
        {subjects.length > 1 && (
          <Select
            label={messages.what}
            data={subjects.map((one) => ({ value: subjectKey(one), label: labelOf(one) }))}
            value={chosen}
            searchable={subjects.length > 5}
            allowDeselect={false}
            onChange={(key) => {
              setChosen(key)
              setTyped(null)
            }}
          />
        )}
        {subjects.length === 1 && subject && <p className={classes.subject}>{labelOf(subject)}</p>}
        <TextInput
          type="time"
          label={messages.time(zoneLabel(zone))}
          description={messages.time_hint}
          value={time}
          error={refusal}
          data-autofocus
          onChange={({ currentTarget }) => {
            setTyped(currentTarget.value)
            setRefusal(null)
          }}
        />
        {entry && <ForecastLine entry={entry} />}
        <DialogFooter>
          {entry && (
            <Button
              variant="default"
              c="var(--error-text)"
              className={classes.remove}
              disabled={save.isPending}
              onClick={() => save.mutate(null)}
            >
              {messages.remove}
            </Button>
          )}
          <CancelButton />
          <Button type="submit" loading={save.isPending}>
            Save
          </Button>
        </DialogFooter>
      </form>
    </FormDialog>
  )
}
