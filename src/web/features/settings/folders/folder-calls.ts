import { queryOptions } from '@tanstack/react-query'
import { folders } from '../../../../contract/folders/calls.ts'
import { call } from '../../../lib/call.ts'

/** Folders of files, and who may use them. */
export const foldersQuery = queryOptions({
  queryKey: [folders.list.path] as const,
  queryFn: ({ signal }) => call(folders.list, { signal }),
})

/** Limits a folder to these users, or opens it to all of them (null). */
export const limitFolder = (name: string, user_ids: number[] | null) =>
  call(folders.limit, { params: { name }, body: { user_ids } })
