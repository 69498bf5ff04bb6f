import type { QueryClient } from '@tanstack/react-query'
import { limits } from '../../../../contract/limits.ts'
import type { SourceTask } from '../../../../contract/source-tasks/calls.ts'
import { uploadMessages as messages } from '../../../../contract/uploads/client-messages.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { refetchTask } from '../../../tasks/cache/task-queries.ts'
import { toast } from '../../../ui/toast.ts'
import { sourceTaskModel } from '../components/model.ts'
import { addFile, refusalOf } from './upload-calls.ts'

/** Makes a file the one that a task reads, with messages about what happened. Never rejects. */
export async function dropOnTask(
  client: QueryClient,
  { id }: Pick<SourceTask, 'id'>,
  files: readonly File[],
): Promise<void> {
  const refusal = refusalOf(files)
  const [file] = files
  if (refusal !== null || !file) {
    toast.error(refusal ?? messages.several)
    return
  }
  try {
    const { file: uploaded, warnings } = await addFile(id, file)
    toast.success(messages.replaced(uploaded.name))
    for (const warning of warnings) toast.warning(warning, limits.error_toast_ms)
    await refetchTask(client, sourceTaskModel, id)
  } catch (error) {
    toast.error(reasonOf(error, messages.upload_failed))
  }
}
