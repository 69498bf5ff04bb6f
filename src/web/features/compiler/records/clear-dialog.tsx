import { Button, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { compilerMessages } from '../../../../contract/compiler/client-messages.ts'
import type { CompilerConfig } from '../../../../contract/compiler/configs.ts'
import { compilerRecords } from '../../../../contract/compiler/records.ts'
import { frameMessages } from '../../../../contract/system/client-messages.ts'

import { call } from '../../../lib/call.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { Dialog, DialogFooter } from '../../../ui/dialog.tsx'
import { toast } from '../../../ui/toast.ts'
import { recordsChanged, statsQuery } from '../api.ts'

const WORD = 'DELETE'

type Props = { config: CompilerConfig; onClose: () => void }

/** Deletes all records of a configuration after the user typed the confirmation word. */
export function ClearDialog({ config, onClose }: Props) {
  const client = useQueryClient()
  const count = useQuery(statsQuery(config.id)).data?.total_records ?? 0
  const [typed, setTyped] = useState('')
  const clear = useMutation({
    mutationFn: () => call(compilerRecords.clear, { body: { compiler_config_id: config.id } }),
    onSuccess: ({ deleted_count }) => {
      toast.success(compilerMessages.cleared(deleted_count))
      return recordsChanged(client, config.id)
    },
    onError: (error) => toast.error(compilerMessages.clear_failed(reasonOf(error, frameMessages.unexpected))),
    onSettled: onClose,
  })
  return (
    <Dialog title="Clear All Data" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (typed === WORD) clear.mutate()
        }}
      >
        <p>{compilerMessages.confirm_clear(count, config.name)}</p>
        <TextInput
          label={compilerMessages.type_delete}
          data-autofocus
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <DialogFooter>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" color="red.9" loading={clear.isPending} disabled={typed !== WORD}>
            Clear All Data
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  )
}
