import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { BulkReply } from '../../../contract/bulk/calls.ts'
import type { ReadyBy } from '../../../contract/forecast/calls.ts'
import { readyByMessages as messages } from '../../../contract/forecast/client-messages.ts'
import { limits } from '../../../contract/limits.ts'
import { schedules } from '../../../contract/schedules/calls.ts'
import { selectionDialogMessages } from '../../../contract/selection/dialog-messages.ts'
import { reasonOf } from '../../lib/query-client.ts'
import { toast } from '../../ui/toast.ts'
import { showUndoToast } from '../../ui/undo-toast.tsx'
import { undoBulk } from '../bulk/bulk-calls.ts'
import { changeSchedules, readFreshForecasts, readyByQuery, subjectKey } from './ready-by-calls.ts'

/** Applies the schedules that would make late tasks ready in time, if they are still what helps, and offers to undo it. */
export function MoveButton({ entry }: { entry: ReadyBy }) {
  const client = useQueryClient()
  const showNow = async () => {
    client.setQueryData(readyByQuery.queryKey, await readFreshForecasts())
    await client.invalidateQueries({ queryKey: [schedules.calendar.path] })
  }
  const undo = async (replies: readonly BulkReply[]) => {
    try {
      for (const { bulk_id } of replies) if (bulk_id !== null) await undoBulk(bulk_id)
    } catch (error) {
      toast.error(reasonOf(error, selectionDialogMessages.undo_failed))
    }
    await showNow()
  }
  const move = useMutation({
    mutationFn: async () => {
      const now = await readFreshForecasts()
      client.setQueryData(readyByQuery.queryKey, now)
      const moves = now.find((one) => subjectKey(one) === subjectKey(entry))?.moves ?? []
      if (JSON.stringify(moves) !== JSON.stringify(entry.moves)) return null
      const replies: BulkReply[] = []
      for (const one of moves) replies.push(await changeSchedules(one))
      return replies
    },
    onSuccess: async (replies) => {
      if (replies === null) return toast.warning(messages.move_changed)
      void showUndoToast({
        tone: replies.every(({ status }) => status === 'success') ? 'success' : 'warning',
        message: replies.map(({ message }) => message).join(' '),
        ms: limits.undo_ms,
        onUndo: () => void undo(replies),
      })
      await showNow()
    },
    onError: async (error) => {
      toast.error(reasonOf(error, messages.move_failed))
      await showNow()
    },
  })
  if (entry.moves.length === 0) return <span>{entry.suggestion}</span>
  return (
    <Button variant="default" size="xs" loading={move.isPending} onClick={() => move.mutate()}>
      {entry.suggestion.replace(/\.$/, '')}
    </Button>
  )
}
