import { ActionIcon, Button, Checkbox, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useId } from 'react'
import { connectionMessages } from '../../../../contract/connections/client-messages.ts'

import { limits } from '../../../../contract/limits.ts'
import type { ConnectionValues } from './connection-form.ts'
import classes from './named-values.module.css'

type Props = {
  form: UseFormReturnType<ConnectionValues>
  list: 'headers' | 'params'
  title: string
  /** Singular of `title`. */
  one: string
  hint: string
}

/** Headers or query parameters; a value can be secret. */
export function NamedValues({ form, list, title, one, hint }: Props) {
  const id = useId()
  const entries = form.values[list]
  return (
    <fieldset className={classes.list} aria-describedby={id}>
      <legend>{title}</legend>
      <p id={id} className={classes.hint}>
        {hint}
      </p>
      {entries.map(({ is_secret, value }, index) => {
        const at = `${list}.${index}`
        const label = `${one} ${index + 1}`
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: items have no id, and their state is in the form
          <div key={index} className={classes.entry}>
            <TextInput
              aria-label={`Name of ${label}`}
              placeholder="Name"
              {...form.getInputProps(`${at}.name`)}
            />
            <TextInput
              aria-label={`Value of ${label}`}
              type={is_secret ? 'password' : 'text'}
              // prevents the browser from filling in the user's own password
              autoComplete={is_secret ? 'new-password' : 'off'}
              placeholder={is_secret && value === null ? connectionMessages.stored_secret : 'Value'}
              {...form.getInputProps(`${at}.value`)}
              value={value ?? ''}
            />
            <Checkbox label="Secret" {...form.getInputProps(`${at}.is_secret`, { type: 'checkbox' })} />
            <ActionIcon
              aria-label={`Remove ${label}`}
              title="Remove"
              onClick={() => form.removeListItem(list, index)}
            >
              <IconTrash size={17} />
            </ActionIcon>
          </div>
        )
      })}
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconPlus size={15} aria-hidden />}
        disabled={entries.length >= limits.connection_values_max}
        onClick={() => form.insertListItem(list, { name: '', value: '', is_secret: list === 'headers' })}
      >
        Add {one}
      </Button>
    </fieldset>
  )
}
