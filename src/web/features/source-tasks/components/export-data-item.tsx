import type { SourceTask } from '../../../../contract/source-tasks/calls.ts'
import { ExportDataItem as Item } from '../../../tasks/data/export-data-item.tsx'

/** Menu item that downloads the rows of a task. */
export const ExportDataItem = ({ task: { id, row_count } }: { task: SourceTask }) => (
  <Item id={id} has_rows={row_count !== null} />
)
