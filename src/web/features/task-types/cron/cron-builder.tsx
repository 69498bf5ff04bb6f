import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { taskTypeMessages } from '../../../../contract/task-types/client-messages.ts'

import classes from './cron-builder.module.css'
import { presetOf, presets } from './presets.ts'
import { RunTimes, RunTimesPlace } from './run-times.tsx'
import { cronQuery, verdictOf } from './verdict.ts'

type Props = {
  value: string
  onChange: (cron: string) => void
  /** What the form has to say of the field; the server's word on the expression comes first. */
  error?: ReactNode
  /** Of a type that is there, its runs are compared with the schedule. */
  taskTypeId?: number | undefined
  /** Asks the server for the first value and for a preset at once, not only on leaving the field and by the button. */
  autoValidate?: boolean
  /** Where a form finds the field again. */
  'data-path'?: string
}

/** A cron expression: twelve presets, a field, and what the server says of it: in words, its next runs, and what to mind. */
export function CronBuilder({ value, onChange, error, taskTypeId, autoValidate = false, ...rest }: Props) {
  const [asked, setAsked] = useState(autoValidate ? value.trim() : '')
  const query = useQuery({ ...cronQuery(asked, taskTypeId), enabled: asked !== '' })
  const verdict = verdictOf(value, asked, query)
  const group = useId()
  const chosen = presetOf(value)

  const ask = (text: string) => {
    if (text.trim() !== asked) setAsked(text.trim())
    else if (asked !== '') void query.refetch({ cancelRefetch: false })
  }
  const choose = (cron: string) => {
    onChange(cron)
    if (autoValidate) ask(cron)
  }

  return (
    <div className={classes.builder}>
      <fieldset className={classes.presets}>
        <legend>Presets</legend>
        {presets.map(({ name, cron }) => (
          <label key={cron}>
            <input type="radio" name={group} checked={name === chosen} onChange={() => choose(cron)} />
            <span>{name}</span>
          </label>
        ))}
      </fieldset>
      <TextInput
        {...rest}
        label="Cron Schedule"
        description={taskTypeMessages.cron_help}
        classNames={{ input: classes.input }}
        placeholder="0 2 * * *"
        autoComplete="off"
        spellCheck={false}
        value={value}
        error={verdict.kind === 'invalid' ? verdict.message : error}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        onBlur={() => ask(value)}
        inputContainer={(input) => (
          <div className={classes.entry}>
            {input}
            <Button
              variant="default"
              disabled={value.trim() === ''}
              loading={verdict.kind === 'checking'}
              onClick={() => ask(value)}
            >
              Validate
            </Button>
          </div>
        )}
      />
      <div role="status">
        {verdict.kind === 'valid' ? (
          <RunTimes reply={verdict.reply} />
        ) : (
          value.trim() !== '' && (
            <RunTimesPlace>{verdict.kind === 'unasked' && taskTypeMessages.cron_unasked}</RunTimesPlace>
          )
        )}
      </div>
    </div>
  )
}
