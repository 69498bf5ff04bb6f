import { uploadedFileOf } from '../../../../contract/files/providers.ts'
import type { SourceTask } from '../../../../contract/source-tasks/calls.ts'
import { kindNames, kindOf, originOf } from '../components/labels.ts'

/**
 * The source that uploaded files would replace, for people; null: none, or an earlier upload with the same name, of which a newer one is
 * what people usually drop. Tasks that read no sheet take no files.
 */
export function replacedSource(task: SourceTask, files: readonly Pick<File, 'name'>[]): string | null {
  const { source_type, spreadsheet_id } = task
  const [file] = files
  if (source_type !== 'sheet' || spreadsheet_id === '' || !file || files.length > 1) return null
  if (uploadedFileOf(spreadsheet_id)?.name === file.name.normalize('NFC')) return null
  return `${originOf(task)} (${kindNames[kindOf(task)]})`
}
