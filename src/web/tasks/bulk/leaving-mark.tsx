import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { selectionDialogMessages as messages } from '../../../contract/selection/dialog-messages.ts'
import { Badge } from '../../ui/badge.tsx'
import { useDescriptor } from '../task-descriptor.tsx'
import { undo } from './offer-undo.ts'

type Props = {
  name: string
  bulk_id: number
  /** Another user who has asked for it, and alone can undo it. */
  by: string | null
}

/** Says in the row of a task that it will be deleted in a moment, with a button that keeps it. */
export function LeavingMark({ name, bulk_id, by }: Props) {
  const client = useQueryClient()
  const descriptor = useDescriptor()
  const undoing = useMutation({ mutationFn: () => undo(bulk_id, { client, descriptor }) })
  if (by !== null) return <Badge tone="error" label={messages.leaving_by(by)} />
  return (
    <>
      <Badge tone="error" label={messages.leaving} />{' '}
      <Button
        variant="default"
        size="compact-xs"
        aria-label={messages.keep(name)}
        loading={undoing.isPending}
        onClick={() => undoing.mutate()}
      >
        {messages.undo}
      </Button>
    </>
  )
}
