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
  /** Message if the server sent none. */
  failure: string
  /** Converts the server's message for display. */
  labels?: (text: string) => string
  /** Maps a field name of the server to one of the form, if they differ. */
  fieldOf?: (path: string) => string
  /** Reloads an object that another user changed: the values the form started from, and the current ones. */
  readFresh?: () => Promise<{ start: Values; fresh: Values }>
}

/**
 * Saves a form and keeps its input until the save succeeds: marks invalid fields and focuses the first one; after a conflict, the
 * user's changes can be applied to the newer version. Returns the props of the form and of its notice.
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
      // The button that was pressed has been removed.
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
    /** Clears the error. */
    reset: save.reset,
    /** Error code of the server. */
    code: save.error instanceof CallError ? save.error.code : undefined,
    formProps: {
      noValidate: true,
      onSubmit: form.onSubmit((values) => save.mutate(values), focusFirst),
      // A conflict remains until the newer version is loaded.
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
