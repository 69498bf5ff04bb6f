import { queryOptions } from '@tanstack/react-query'
import { serviceAccount } from '../../../contract/service-account/calls.ts'
import { spreadsheets } from '../../../contract/spreadsheets/calls.ts'
import { taskMessages } from '../../../contract/tasks/client-messages.ts'
import { users } from '../../../contract/users/calls.ts'
import { call } from '../../lib/call.ts'

/** Whether a task reads a spreadsheet or writes it. */
export type SpreadsheetRole = 'source' | 'target'

const keys = {
  users: [users.list.path] as const,
  service_account: [serviceAccount.read.path] as const,
  spreadsheets: (search: string) => [spreadsheets.list.path, search] as const,
  current_rows: (id: string, sheet: string, start_row: number) =>
    [spreadsheets.held.path, id, sheet, start_row] as const,
  spreadsheet: (id: string, role: SpreadsheetRole) => [spreadsheets.get.path, id, role] as const,
  files: (path: string) => [spreadsheets.files.path, path] as const,
}

/** All users who have signed in, for the choice of accounts. */
export const usersQuery = queryOptions({
  queryKey: keys.users,
  queryFn: ({ signal }) => call(users.list, { signal }),
  meta: { failure: taskMessages.fetch_users_failed },
})

/** The service account of the installation, which tasks may use once an administrator allows it. */
export const serviceAccountQuery = queryOptions({
  queryKey: keys.service_account,
  queryFn: ({ signal }) => call(serviceAccount.read, { signal }),
  meta: { failure: taskMessages.load_service_account_failed },
})

/** Spreadsheets in the user's Drive whose name matches. */
export const spreadsheetsQuery = (search: string) =>
  queryOptions({
    queryKey: keys.spreadsheets(search),
    queryFn: ({ signal }) => call(spreadsheets.list, { query: search ? { search } : {}, signal }),
    staleTime: 60_000,
  })

/** Name and tabs of a spreadsheet. A target that is a file need not exist. */
export const spreadsheetQuery = (spreadsheet_id: string, role: SpreadsheetRole = 'source') =>
  queryOptions({
    queryKey: keys.spreadsheet(spreadsheet_id, role),
    queryFn: ({ signal }) =>
      call(spreadsheets.get, {
        params: { spreadsheet_id },
        query: role === 'target' ? { role } : {},
        signal,
      }),
    staleTime: 60_000,
    retry: false,
  })

/** Folders and files in a folder; with a blank path the folders that are configured. */
export const filesQuery = (path: string) =>
  queryOptions({
    queryKey: keys.files(path),
    queryFn: ({ signal }) => call(spreadsheets.files, { query: path ? { path } : {}, signal }),
    staleTime: 10_000,
    retry: false,
  })

/** Number of rows of a sheet below a row. */
export const currentRowsQuery = (spreadsheet_id: string, sheet_name: string, start_row: number) =>
  queryOptions({
    queryKey: keys.current_rows(spreadsheet_id, sheet_name, start_row),
    queryFn: ({ signal }) =>
      call(spreadsheets.held, {
        params: { spreadsheet_id },
        query: { sheet_name, start_row },
        signal,
      }),
    staleTime: 60_000,
    retry: false,
  })
