import { useQuery } from '@tanstack/react-query'
import { delimiterNames, encodingNames } from '../../../../contract/connections/file-formats.ts'
import { isUpload } from '../../../../contract/files/providers.ts'
import type { SourceTaskDetail } from '../../../../contract/source-tasks/calls.ts'
import { uploadMessages as messages } from '../../../../contract/uploads/client-messages.ts'
import { formatBytes, formatCount } from '../../../lib/format.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { useTimeZone } from '../../../lib/session.ts'
import { formatLongMoment } from '../../../lib/time-zone.ts'
import { Fact } from '../../../tasks/page/fact.tsx'
import { fileStateQuery } from './upload-calls.ts'

/** The file that the next run reads as it is now, how often a new one is expected, and how a CSV file is read. */
export function FileFacts({ task }: { task: SourceTaskDetail }) {
  const { file_expected_hours: hours, csv_delimiter, csv_encoding, csv_quote } = task
  const format = [
    csv_delimiter !== 'auto' && `delimiter ${delimiterNames[csv_delimiter]?.toLowerCase()}`,
    csv_encoding !== 'auto' && `encoding ${encodingNames[csv_encoding]}`,
    csv_quote !== 'auto' && `quote ${csv_quote}`,
  ].filter(Boolean)
  return (
    <>
      <Fact name={messages.file}>
        <FileText task={task} />
      </Fact>
      {hours !== null && <Fact name={messages.expected}>{formatCount(hours, 'hour')}</Fact>}
      {format.length > 0 && <Fact name={messages.csv}>{format.join(', ')}</Fact>}
    </>
  )
}

function FileText({ task }: { task: SourceTaskDetail }) {
  const zone = useTimeZone()
  const { data, error } = useQuery(fileStateQuery(task.id, task.updated_at))
  if (error) return reasonOf(error, messages.state_failed)
  if (!data) return '…'
  const { name, size, modified_at, locked_by, problem, is_late } = data
  if (problem !== null || size === null || modified_at === null) return problem
  const text = isUpload(task.spreadsheet_id) ? messages.state_uploaded : messages.state
  const lock = locked_by === null ? [] : [locked_by === '' ? messages.open : messages.open_by(locked_by)]
  const parts = [text(name, formatBytes(size), formatLongMoment(modified_at, zone)), ...lock]
  return (
    <>
      {parts.join(', ')}
      {is_late && task.file_expected_hours !== null && (
        <>
          {'. '}
          <b>{messages.late(formatCount(task.file_expected_hours, 'hour'))}</b>
        </>
      )}
    </>
  )
}
