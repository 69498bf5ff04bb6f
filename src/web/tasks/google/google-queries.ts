import { queryOptions } from '@tanstack/react-query'
import { serviceAccount } from '../../../contract/service-account/calls.ts'
import { spreadsheets } from '../../../contract/spreadsheets/calls.ts'
import { taskMessages } from '../../../contract/tasks/client-messages.ts'
import { users } from '../../../contract/users/calls.ts'
import { call } from '../../lib/call.ts'

const keys = {
  users: [users.list.path] as const,
  service_account: [serviceAccount.read.path] as const,
  spreadsheets: (search: string) => [spreadsheets.list.path, search] as const,
  held: (id: string, sheet: string, start_row: number) =>
    [spreadsheets.held.path, id, sheet, start_row] as const,
  spreadsheet: (id: string) => [spreadsheets.get.path, id] as const,
}

/** All users who have signed in, to choose accounts from. */
export const usersQuery = queryOptions({
  queryKey: keys.users,
  queryFn: ({ signal }) => call(users.list, { signal }),
  meta: { failure: taskMessages.fetch_users_failed },
})

/** The installation's own account, which tasks may name once an administrator allows it. */
export const serviceAccountQuery = queryOptions({
  queryKey: keys.service_account,
  queryFn: ({ signal }) => call(serviceAccount.read, { signal }),
  meta: { failure: taskMessages.load_service_account_failed },
})

/** Spreadsheets in the person's Drive whose name has the words. */
export const spreadsheetsQuery = (search: string) =>
  queryOptions({
    queryKey: keys.spreadsheets(search),
    queryFn: ({ signal }) => call(spreadsheets.list, { query: search ? { search } : {}, signal }),
    staleTime: 60_000,
  })

/** Name and tabs of a spreadsheet. */
export const spreadsheetQuery = (spreadsheet_id: string) =>
  queryOptions({
    queryKey: keys.spreadsheet(spreadsheet_id),
    queryFn: ({ signal }) => call(spreadsheets.get, { params: { spreadsheet_id }, signal }),
    staleTime: 60_000,
    retry: false,
  })

/** How many rows a sheet holds below a row. */
export const heldRowsQuery = (spreadsheet_id: string, sheet_name: string, start_row: number) =>
  queryOptions({
    queryKey: keys.held(spreadsheet_id, sheet_name, start_row),
    queryFn: ({ signal }) =>
      call(spreadsheets.held, {
        params: { spreadsheet_id },
        query: { sheet_name, start_row },
        signal,
      }),
    staleTime: 60_000,
    retry: false,
  })
