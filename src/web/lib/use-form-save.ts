import type { UseFormReturnType } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { frameMessages } from '../../contract/system/client-messages.ts'

import { CallError } from './call.ts'
import { refusedFields } from './form-errors.ts'
import { reasonOf } from './query-client.ts'
import { rebase } from './rebase.ts'

type Options<Values, Saved> = {
  form: UseFormReturnType<Values>
  send: (values: Values) => Promise<Saved>
  onSaved: (saved: Saved) => void
  /** What to say when the server has no words of its own. */
  failure: string
  /** The server's words as a person is told them. */
  labels?: (text: string) => string
  /** The form's field for one that the server names, where the form is not built like the object. */
  fieldOf?: (path: string) => string
  /** Reloads an object that another user changed: the values the form started from, and the current ones. */
  readFresh?: () => Promise<{ start: Values; fresh: Values }>
}

/**
 * Sends a form and keeps what was typed until that has succeeded: marks refused fields and goes to the first of them; after a
 * conflict the newer version can be put below the person's own changes. Returns the props of the form and of its notice.
 */
export function useFormSave<Values extends object, Saved>(options: Options<Values, Saved>) {
  const { form, send, onSaved, failure, labels, fieldOf, readFresh } = options
  const [joined, setJoined] = useState(false)
  const focusFirst = (marked: object) => {
    const [field] = Object.keys(marked)
    if (field) form.getInputNode(field)?.focus()
  }
  const save = useMutation({
    mutationFn: send,
    onSuccess: onSaved,
    onError: (error) => {
      if (!(error instanceof CallError)) return
      const refused = Object.entries(refusedFields(error, form.getValues(), fieldOf))
      const marked = Object.fromEntries(refused.map(([field, text]) => [field, labels?.(text) ?? text]))
      form.setErrors(marked)
      focusFirst(marked)
    },
  })
  const join = useMutation({
    mutationFn: async () => readFresh?.(),
    onSuccess: (versions) => {
      if (!versions) return
      form.setValues(rebase(form.getValues(), versions.start, versions.fresh))
      save.reset()
      setJoined(true)
      // the button that was pressed is gone
      focusFirst(versions.fresh)
    },
  })
  const failed = join.error ?? save.error
  const conflict = save.error instanceof CallError && save.error.code === 'stale_update'
  const marked = Object.keys(form.errors).length
  const reason = failed ? reasonOf(failed, failure) : null
  const refusal = reason && labels ? labels(reason) : reason
  const problem = refusal ?? (marked > 0 ? frameMessages.check_fields(marked) : null)
  return {
    pending: save.isPending,
    problem,
    /** Forgets a refusal. */
    reset: save.reset,
    /** What the server called its refusal. */
    code: save.error instanceof CallError ? save.error.code : undefined,
    formProps: {
      noValidate: true,
      onSubmit: form.onSubmit((values) => save.mutate(values), focusFirst),
      // a conflict stays until the newer version was read
      onChange: () => {
        if (save.isError && !conflict) save.reset()
      },
    },
    noticeProps: {
      problem,
      notice: joined ? frameMessages.loaded_again : null,
      onLoadAgain: conflict && readFresh ? () => join.mutate() : null,
    },
  }
}
