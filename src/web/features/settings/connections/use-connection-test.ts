import type { UseFormReturnType } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { connections } from '../../../../contract/connections/calls.ts'
import { CallError, call } from '../../../lib/call.ts'
import { refusedFields } from '../../../lib/form-errors.ts'
import { type ConnectionValues, fieldOf, formErrors, guessed, settingsOf } from './connection-form.ts'

/** Tests the form and fills in what the first reply suggests. Unchanged secrets are those stored for `id`. */
export function useConnectionTest(form: UseFormReturnType<ConnectionValues>, id: number | null) {
  const [filled, setFilled] = useState<Partial<ConnectionValues>>({})
  const [tested, setTested] = useState('')
  const test = useMutation({
    mutationFn: (values: ConnectionValues) =>
      call(connections.test, { body: { ...(id !== null && { id }), settings: settingsOf(values) } }),
    onSuccess: ({ guess, rows_read }, values) => {
      const found = guess && rows_read > 0 ? guessed(values, guess) : {}
      setFilled(found)
      setTested(JSON.stringify(settingsOf({ ...values, ...found })))
      form.setValues(found)
    },
    onError: (error, values) => {
      if (error instanceof CallError) form.setErrors(refusedFields(error, values, fieldOf))
    },
  })
  const start = () => {
    const values = form.getValues()
    const errors = formErrors(values, 'settings')
    form.setErrors(errors)
    const [first] = Object.keys(errors)
    if (first === undefined) test.mutate(values)
    else form.getInputNode(first)?.focus()
  }
  return { ...test, start, filled, tested }
}
