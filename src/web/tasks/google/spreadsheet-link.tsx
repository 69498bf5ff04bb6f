import { useSession } from '../../lib/session.ts'

/** Words that open a spreadsheet beside this page; none where the id is blank. */
export function SpreadsheetLink({ id, children }: { id: string; children: string }) {
  const sandbox = useSession()?.sandbox
  if (id === '') return children
  const root = sandbox?.url ?? 'https://docs.google.com'
  return (
    <a href={`${root}/spreadsheets/d/${id}/edit`} target="_blank" rel="noreferrer">
      {children}
    </a>
  )
}
