import { Button, NumberInput, SimpleGrid } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { limits } from '../../../../contract/limits.ts'
import { limitMessages as messages } from '../../../../contract/run-limits/client-messages.ts'
import { fieldErrors } from '../../../lib/form-errors.ts'
import { useUnsavedInput } from '../../../lib/unsaved-input.ts'
import { useFormSave } from '../../../lib/use-form-save.ts'
import { FormNotice } from '../../../ui/form-notice.tsx'
import { toast } from '../../../ui/toast.ts'
import { limitDefaultsQuery, type SavedLimits, saveLimitDefaults } from '../api.ts'
import { LimitsForm, valuesOf } from './limits-form.ts'
import classes from './limits-section.module.css'

const { labels, hints } = messages

/** Edits the limits of sync tasks that do not set their own. */
export function DefaultLimitsForm({ saved }: { saved: SavedLimits }) {
  const client = useQueryClient()
  // The version that the form is based on; after a conflict, the newer one.
  const [base, setBase] = useState(saved)
  const form = useForm({ initialValues: valuesOf(saved), validate: fieldErrors(LimitsForm) })
  const save = useFormSave({
    form,
    send: (values) => saveLimitDefaults({ ...LimitsForm.parse(values), updated_at: base.updated_at }),
    onSaved: (reply) => {
      client.setQueryData(limitDefaultsQuery.queryKey, reply)
      setBase(reply)
      form.setInitialValues(valuesOf(reply))
      form.reset()
      toast.success(messages.saved)
    },
    failure: messages.save_failed,
    readFresh: async () => {
      const fresh = await client.fetchQuery({ ...limitDefaultsQuery, staleTime: 0 })
      setBase(fresh)
      return { start: valuesOf(base), fresh: valuesOf(fresh) }
    },
  })
  const isDirty = form.isDirty()
  useUnsavedInput(isDirty)
  const number = (name: keyof typeof form.values) => ({
    label: labels[name],
    description: hints[name],
    allowDecimal: false,
    thousandSeparator: ',',
    ...form.getInputProps(name),
  })
  return (
    <form {...save.formProps} className={classes.form} aria-label={messages.title}>
      <FormNotice {...save.noticeProps} />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={12} verticalSpacing={14}>
        <NumberInput min={0} max={100} {...number('removed_percent')} />
        <NumberInput min={0} max={100} {...number('emptied_percent')} />
        <NumberInput min={1} max={limits.start_row_max} {...number('from_rows')} />
        <NumberInput
          min={0}
          max={limits.limited_cells_max}
          placeholder={messages.no_limit}
          {...number('changed_cells')}
        />
      </SimpleGrid>
      <div className={classes.footer}>
        <Button type="submit" disabled={!isDirty} loading={save.pending}>
          {messages.save}
        </Button>
      </div>
    </form>
  )
}
