import { useMutation } from '@tanstack/react-query'
import { limits } from '../../../contract/limits.ts'
import { selectionDialogMessages } from '../../../contract/selection/dialog-messages.ts'
import { reasonOf } from '../../lib/query-client.ts'
import { toast } from '../../ui/toast.ts'
import { useDescriptor } from '../task-descriptor.tsx'

/** Saves some of the tasks as a CSV file. */
export function useExportSome() {
  const { calls, texts } = useDescriptor()
  return useMutation({
    mutationFn: calls.exportSome,
    onSuccess: (_, ids) => toast.success(selectionDialogMessages.exported(ids.length), limits.csv_toast_ms),
    onError: (error) => toast.error(reasonOf(error, texts.export_failed), limits.csv_toast_ms),
  })
}
