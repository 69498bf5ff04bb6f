import { useQuery } from '@tanstack/react-query'
import { bookDetail } from './api.ts'
import { BookEditor } from './book-editor.tsx'
import { ControlPanel } from './control-panel.tsx'
import { Frame } from './frame.tsx'
import { useTitle } from './use-title.ts'

/** One spreadsheet: tabs, grid, and the control panel. */
export function BookScreen({ bookId }: { bookId: string }) {
  const book = useQuery(bookDetail(bookId))
  useTitle(book.data?.title ?? 'Spreadsheet')
  return (
    <Frame
      title={book.data?.title ?? 'Spreadsheet'}
      detail={detailOf(book.data?.owner, book.error)}
      actions={
        <a className="button" href={`/page/books/${bookId}/download`} download>
          Download .xlsx
        </a>
      }
      aside={<ControlPanel bookId={bookId} />}
    >
      {book.data !== undefined ? (
        <BookEditor book={book.data} />
      ) : (
        <p className="notice" role={book.isError ? 'alert' : 'status'}>
          {book.isError ? book.error.message : 'Opening…'}
        </p>
      )}
    </Frame>
  )
}

function detailOf(owner: string | undefined, error: Error | null): string {
  if (owner === undefined) return ''
  // Cached data stays visible, so the page says that it may be outdated.
  return error === null ? `owned by ${owner}` : `No longer up to date: ${error.message}`
}
