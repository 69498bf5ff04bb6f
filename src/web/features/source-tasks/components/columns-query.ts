import { queryOptions } from '@tanstack/react-query'
import { sourceColumns } from '../../../../contract/remembered-columns/calls.ts'
import { columnMessages } from '../../../../contract/remembered-columns/client-messages.ts'
import { call } from '../../../lib/call.ts'
import { limited, of } from '../api.ts'

/** Columns of a source task, and those of its source that have another name. */
export const columnsQuery = (id: number) =>
  queryOptions({
    queryKey: [sourceColumns.columns.path, id] as const,
    queryFn: ({ signal }) => call(sourceColumns.columns, { ...of(id), ...limited(signal) }),
    meta: { failure: columnMessages.load_failed },
  })
