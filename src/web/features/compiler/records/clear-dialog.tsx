import { Button, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { CompilerConfig } from '../../../../contract/compiler-configs.ts'
import { compilerPageMessages as texts } from '../../../../contract/compiler-page-messages.ts'
import { compilerRecords } from '../../../../contract/compiler-records.ts'
import { messages } from '../../../../contract/page-messages.ts'
import { call } from '../../../lib/call.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { Dialog, DialogFooter } from '../../../ui/dialog.tsx'
import { toast } from '../../../ui/toast.ts'
import { recordsChanged, statsQuery } from '../api.ts'

const WORD = 'DELETE'

type Props = { config: CompilerConfig; onClose: () => void }

/** Deletes all records of a configuration once the exact word was typed. */
export function ClearDialog({ config, onClose }: Props) {
  const client = useQueryClient()
  const count = useQuery(statsQuery(config.id)).data?.total_records ?? 0
  const [typed, setTyped] = useState('')
  const clear = useMutation({
    mutationFn: () => call(compilerRecords.clear, { body: { compiler_config_id: config.id } }),
    onSuccess: ({ deleted_count }) => {
      toast.success(texts.cleared(deleted_count))
      return recordsChanged(client, config.id)
    },
    onError: (error) => toast.error(texts.clear_failed(reasonOf(error, messages.unexpected))),
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
        <p>{texts.confirm_clear(count, config.name)}</p>
        <TextInput
          label={texts.type_delete}
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
