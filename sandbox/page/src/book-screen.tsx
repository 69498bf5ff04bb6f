import { useQuery } from '@tanstack/react-query'
import { bookDetail } from './api.ts'
import { BookEditor } from './book-editor.tsx'
import { ControlPanel } from './control-panel.tsx'
import { Frame } from './frame.tsx'
import { useTitle } from './use-title.ts'

/** One spreadsheet: its tabs, its grid, and the controls beside it. */
export function BookScreen({ bookId }: { bookId: string }) {
  const book = useQuery(bookDetail(bookId))
  useTitle(book.data?.title ?? 'Spreadsheet')
  return (
    <Frame
      title={book.data?.title ?? 'Spreadsheet'}
      detail={book.data === undefined ? '' : `owned by ${book.data.owner}`}
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
