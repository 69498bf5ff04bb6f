import { IconFile, IconTable, IconUpload } from '@tabler/icons-react'
import { isFilePath, isUpload } from '../../../contract/files/providers.ts'
import { taskMessages } from '../../../contract/tasks/client-messages.ts'
import { useSession } from '../../lib/session.ts'

/** URL of a spreadsheet, and of one of its tabs if that is known; null for files. */
export function useSpreadsheetUrl(id: string, tab_id: string | null = null): string | null {
  const root = useSession()?.sandbox?.url ?? 'https://docs.google.com'
  if (isFilePath(id)) return null
  return `${root}/spreadsheets/d/${id}/edit${tab_id === null ? '' : `#gid=${tab_id}`}`
}

type Props = { id: string; tab_id?: string | null; children: string }

/** A link that opens a spreadsheet in a new tab; plain text if the id is blank, and for files; those in folders with their path. With the icon of its kind. */
export function SpreadsheetLink({ id, tab_id = null, children }: Props) {
  const url = useSpreadsheetUrl(id, tab_id)
  if (id === '') return children
  if (isUpload(id))
    return (
      <>
        <IconUpload size={14} aria-label={taskMessages.uploaded} />
        {children}
      </>
    )
  if (url === null)
    return (
      <>
        <IconFile size={14} aria-label={taskMessages.in_folder} />
        {`${children} (${id})`}
      </>
    )
  return (
    <>
      <IconTable size={14} aria-label={taskMessages.google_sheet} />
      <a href={url} target="_blank" rel="noreferrer">
        {children}
      </a>
    </>
  )
}
