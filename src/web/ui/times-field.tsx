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
  /** An error of the times that the server reported. */
  error?: ReactNode
  /** What stands in the field besides the times: text that becomes one when the field is left, text that is none, nothing. */
  onPending?: (pending: 'typed' | 'invalid' | null) => void
  disabled?: boolean
  /** Where a form finds the field again. */
  'data-path'?: string
}

/**
 * Times of day, each with a button to remove it, and a field for more: a comma, Enter or leaving the field adds what was
 * typed, Backspace in the empty field removes the last one.
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
