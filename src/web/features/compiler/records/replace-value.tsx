import { ActionIcon, Button, Popover, TextInput } from '@mantine/core'
import { IconReplace } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { compilerChecks } from '../../../../contract/compiler/checks.ts'
import { compilerMessages } from '../../../../contract/compiler/client-messages.ts'
import { call } from '../../../lib/call.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { toast } from '../../../ui/toast.ts'
import { configsQuery } from '../api.ts'
import { cutText } from './cut-text.ts'
import classes from './record-field-list.module.css'

type Props = { config_id: number; field: string; value: string }

/** Button that replaces a value of a field by another one, in all records of later compiles. */
export function ReplaceValue({ config_id, field, value }: Props) {
  const client = useQueryClient()
  const [opened, setOpened] = useState(false)
  const [typed, setTyped] = useState(value)
  const save = useMutation({
    mutationFn: (to: string) =>
      call(compilerChecks.mapValue, { params: { id: config_id }, body: { field, from: value, to } }),
    onSuccess: async (_, to) => {
      toast.success(compilerMessages.replaced(cutText(value), cutText(to)))
      setOpened(false)
      await client.invalidateQueries(configsQuery)
    },
    onError: (error) => toast.error(reasonOf(error, compilerMessages.replace_failed)),
  })
  return (
    <Popover opened={opened} onChange={setOpened} width={300} position="bottom-end" trapFocus withArrow>
      <Popover.Target>
        <ActionIcon
          aria-label={compilerMessages.replace_value(field)}
          title={compilerMessages.replace_value(field)}
          disabled={value === ''}
          onClick={() => setOpened(!opened)}
        >
          <IconReplace size={17} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={compilerMessages.replace_value(field)}>
        <form
          className={classes.replace}
          onSubmit={(event) => {
            event.preventDefault()
            save.mutate(typed)
          }}
        >
          <TextInput
            label="New value"
            description={compilerMessages.replace_hint(cutText(value))}
            data-autofocus
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
          <Button type="submit" size="xs" loading={save.isPending} disabled={typed === value}>
            Replace
          </Button>
        </form>
      </Popover.Dropdown>
    </Popover>
  )
}
