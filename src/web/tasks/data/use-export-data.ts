import { useMutation } from '@tanstack/react-query'
import { limits } from '../../../contract/limits.ts'
import { taskMessages } from '../../../contract/tasks/client-messages.ts'
import { reasonOf } from '../../lib/query-client.ts'
import { toast } from '../../ui/toast.ts'
import { useDescriptor } from '../task-descriptor.tsx'

/** Downloads all stored rows of a task as CSV; a failure is shown as a toast. */
export function useExportData(id: number) {
  const { calls } = useDescriptor()
  return useMutation({
    mutationFn: () => calls.exportData(id),
    onError: (error) => toast.error(reasonOf(error, taskMessages.export_data_failed), limits.csv_toast_ms),
  })
}
