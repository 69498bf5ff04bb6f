import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { taskTypeMessages } from '../../../../contract/task-types/client-messages.ts'

import classes from './cron-builder.module.css'
import { checkStateOf, cronQuery } from './cron-check.ts'
import { presetOf, presets } from './presets.ts'
import { RunTimes, RunTimesPlace } from './run-times.tsx'

type Props = {
  value: string
  onChange: (cron: string) => void
  /** Error of the form; an error of the server takes precedence. */
  error?: ReactNode
  /** The schedule is checked against the durations of this type's runs. */
  taskTypeId?: number | undefined
  /** Validates the initial value and presets at once, not only on blur or by the button. */
  autoValidate?: boolean
  /** Path by which the form finds the field. */
  'data-path'?: string
}

/** Input for a cron expression: presets, a text field, and the server's check with description, next runs and warnings. */
export function CronBuilder({ value, onChange, error, taskTypeId, autoValidate = false, ...rest }: Props) {
  const [asked, setAsked] = useState(autoValidate ? value.trim() : '')
  const query = useQuery({ ...cronQuery(asked, taskTypeId), enabled: asked !== '' })
  const check = checkStateOf(value, asked, query)
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
        error={check.kind === 'invalid' ? check.message : error}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        onBlur={() => ask(value)}
        inputContainer={(input) => (
          <div className={classes.entry}>
            {input}
            <Button
              variant="default"
              disabled={value.trim() === ''}
              loading={check.kind === 'checking'}
              onClick={() => ask(value)}
            >
              Validate
            </Button>
          </div>
        )}
      />
      <div role="status">
        {check.kind === 'valid' ? (
          <RunTimes reply={check.reply} />
        ) : (
          value.trim() !== '' && (
            <RunTimesPlace>{check.kind === 'not_checked' && taskTypeMessages.cron_unasked}</RunTimesPlace>
          )
        )}
      </div>
    </div>
  )
}
