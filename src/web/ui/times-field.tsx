import { Pill, PillsInput } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { announce } from './announcer.tsx'
import { addTimes } from './times.ts'
import classes from './times-field.module.css'

type Props = {
  label: string
  description?: ReactNode
  value: readonly string[]
  onChange: (times: string[]) => void
  /** Validation error from the server. */
  error?: ReactNode
  /** State of the text input: a time not yet added, invalid text, or empty. */
  onPending?: (pending: 'typed' | 'invalid' | null) => void
  disabled?: boolean
  /** Path of the field, for focus after a failed submit. */
  'data-path'?: string
}

/**
 * Times of day, each with a remove button, and an input for more: comma, Enter or blur adds the typed times, Backspace in the
 * empty input removes the last one.
 */
export function TimesField({
  label,
  description,
  value,
  onChange,
  error,
  onPending,
  disabled,
  ...rest
}: Props) {
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<ReturnType<typeof addTimes>['problem']>(null)
  const field = useRef<HTMLInputElement>(null)

  const type = (typed: string) => {
    setText(typed)
    setProblem(null)
    onPending?.(typed.trim() === '' ? null : 'typed')
  }
  const add = (typed: string) => {
    const added = addTimes(value, typed)
    type(added.rest)
    setProblem(added.problem)
    onPending?.(added.rest === '' ? null : 'invalid')
    if (added.times.length > value.length) onChange(added.times)
  }
  const remove = (time: string) => {
    setProblem(null)
    onChange(value.filter((other) => other !== time))
    announce(`${time} removed`)
    field.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const last = value.at(-1)
    if (event.key === 'Enter' && text.trim() !== '') {
      event.preventDefault()
      add(text)
    }
    if (event.key === 'Backspace' && text === '' && last !== undefined) remove(last)
  }

  return (
    <div>
      <PillsInput
        label={label}
        description={description}
        error={problem?.kind === 'invalid' ? problem.message : error}
        disabled={disabled}
      >
        <Pill.Group>
          {value.map((time) => (
            <Pill
              key={time}
              size="md"
              withRemoveButton
              disabled={disabled}
              onRemove={() => remove(time)}
              removeButtonProps={{
                'aria-label': `Remove ${time}`,
                'aria-hidden': false,
                tabIndex: 0,
                type: 'button',
              }}
            >
              {time}
            </Pill>
          ))}
          <PillsInput.Field
            {...rest}
            ref={field}
            value={text}
            placeholder={value.length === 0 ? '04:00, 23:00' : 'Add a time'}
            autoComplete="off"
            onChange={({ currentTarget }) =>
              currentTarget.value.includes(',') ? add(currentTarget.value) : type(currentTarget.value)
            }
            onBlur={() => text.trim() !== '' && add(text)}
            onKeyDown={onKeyDown}
          />
        </Pill.Group>
      </PillsInput>
      <p className={classes.warning} role="status">
        {problem?.kind === 'duplicate' && problem.message}
      </p>
    </div>
  )
}
