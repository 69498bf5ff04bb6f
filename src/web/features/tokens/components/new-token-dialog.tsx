import { Button, NativeSelect, Radio, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { Right } from '../../../../contract/calls.ts'
import { NewToken, tokens } from '../../../../contract/tokens/calls.ts'
import { tokenMessages as messages } from '../../../../contract/tokens/client-messages.ts'
import { tokenLimits } from '../../../../contract/tokens/limits.ts'
import { call } from '../../../lib/call.ts'
import { fieldErrors } from '../../../lib/form-errors.ts'
import { formatCount } from '../../../lib/format.ts'
import { useFormSave } from '../../../lib/use-form-save.ts'
import { DialogFooter } from '../../../ui/dialog.tsx'
import { CancelButton, FormDialog } from '../../../ui/form-dialog.tsx'
import { FormNotice } from '../../../ui/form-notice.tsx'
import { tokensQuery } from '../api.ts'
import classes from './tokens.module.css'

const DAYS = [7, 30, tokenLimits.days_default, tokenLimits.days_max]

/** Creates a token and passes it to the parent; it cannot be read again. */
export function NewTokenDialog({
  onMade,
  onClose,
}: {
  onMade: (token: string) => void
  onClose: () => void
}) {
  const client = useQueryClient()
  const form = useForm({
    initialValues: { name: '', right: 'read', expires_in_days: Number(tokenLimits.days_default) },
    validate: fieldErrors(NewToken),
  })
  const save = useFormSave({
    form,
    send: (values) => call(tokens.create, { body: NewToken.parse(values) }),
    onSaved: ({ token }) => {
      void client.invalidateQueries(tokensQuery)
      onMade(token)
      onClose()
    },
    failure: messages.make_failed,
  })
  return (
    <FormDialog title={messages.make} onClose={onClose} dirty={form.isDirty()}>
      <form {...save.formProps}>
        <FormNotice {...save.noticeProps} />
        <TextInput
          label="Name"
          description="What uses it, such as the nightly load"
          withAsterisk
          data-autofocus
          mb={14}
          {...form.getInputProps('name')}
        />
        <Radio.Group label="Access" mb={14} {...form.getInputProps('right')}>
          <div className={classes.rights}>
            {Right.options.map((right) => (
              <Radio
                key={right}
                value={right}
                label={messages.rights[right].name}
                description={messages.rights[right].hint}
              />
            ))}
          </div>
        </Radio.Group>
        <NativeSelect
          label="Expires after"
          data={DAYS.map((days) => ({ value: String(days), label: formatCount(days, 'day') }))}
          value={String(form.values.expires_in_days)}
          onChange={({ currentTarget }) => form.setFieldValue('expires_in_days', Number(currentTarget.value))}
        />
        <DialogFooter>
          <CancelButton />
          <Button type="submit" loading={save.pending}>
            Create token
          </Button>
        </DialogFooter>
      </form>
    </FormDialog>
  )
}
