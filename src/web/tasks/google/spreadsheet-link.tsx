import { isFilePath, isUpload } from '../../../contract/files/providers.ts'
import { useSession } from '../../lib/session.ts'

/** URL of a spreadsheet, and of one of its tabs if that is known; null for files. */
export function useSpreadsheetUrl(id: string, tab_id: string | null = null): string | null {
  const root = useSession()?.sandbox?.url ?? 'https://docs.google.com'
  if (isFilePath(id)) return null
  return `${root}/spreadsheets/d/${id}/edit${tab_id === null ? '' : `#gid=${tab_id}`}`
}

type Props = { id: string; tab_id?: string | null; children: string }

/** A link that opens a spreadsheet in a new tab; plain text if the id is blank, and for files; those in folders with their path. */
export function SpreadsheetLink({ id, tab_id = null, children }: Props) {
  const url = useSpreadsheetUrl(id, tab_id)
  if (id === '' || isUpload(id)) return children
  if (url === null) return `${children} (${id})`
  return (
    <a href={url} target="_blank" rel="noreferrer">
      {children}
    </a>
  )
}
