import type { UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { limits } from '../../../../contract/limits.ts'
import { syncTaskMessages } from '../../../../contract/sync-tasks/client-messages.ts'

import { currentRowsQuery } from '../../../tasks/google/google-queries.ts'
import { spreadsheetIdIn } from '../../../tasks/google/spreadsheet-field.tsx'
import type { TaskValues } from './task-form.ts'

type Props = { form: UseFormReturnType<TaskValues>; editing: boolean }

/** Explains what the first run replaces in the chosen target, and what it does not change. */
export function TargetNotice({ form, editing }: Props) {
  const { target_ss_id, target_sheet_name, start_row } = form.values
  const id = spreadsheetIdIn(target_ss_id)
  const row = Number(start_row)
  const isChosen = !editing || form.isDirty('target_ss_id') || form.isDirty('target_sheet_name')
  const isRow = Number.isInteger(row) && row >= 1 && row <= limits.start_row_max
  const { data } = useQuery({
    ...currentRowsQuery(id ?? '', target_sheet_name, row),
    enabled: isChosen && isRow && id !== null,
  })
  return (
    <>
      {isChosen && data && data.rows > 0 && <strong>{syncTaskMessages.target_holds(data.rows)} </strong>}
      {syncTaskMessages.target_owned}
    </>
  )
}
