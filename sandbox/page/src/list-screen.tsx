import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { BookSummary } from '../../page-calls/wire.ts'
import { accountList, bookList, createBook, uploadBook } from './api.ts'
import { ControlPanel } from './control-panel.tsx'
import { Frame } from './frame.tsx'
import { useTitle } from './use-title.ts'

const bookUrl = (id: string) => `/spreadsheets/d/${id}/edit`

/** List of all spreadsheets, with creation and upload. */
export function ListScreen() {
  useTitle('Spreadsheets')
  const books = useQuery(bookList)
  const [filter, setFilter] = useState('')
  const shown = books.data?.books.filter(({ title, owner }) =>
    `${title} ${owner}`.toLowerCase().includes(filter.trim().toLowerCase()),
  )
  return (
    <Frame
      title="Spreadsheets"
      detail="A local stand-in for Google: nothing here leaves this machine."
      actions={null}
      aside={<ControlPanel />}
    >
      <div className="list">
        <NewBook filter={filter} onFilter={setFilter} />
        {shown === undefined ? (
          <p className="notice" role={books.isError ? 'alert' : 'status'}>
            {books.isError ? books.error.message : 'Loading…'}
          </p>
        ) : (
          <BookTable books={shown} />
        )}
        <OtherOrigins />
      </div>
    </Frame>
  )
}

const OtherOrigins = () => (
  <section className="origins" aria-labelledby="origins">
    <h2 id="origins">Other origins to try</h2>
    <dl>
      <dt>An HTTP API</dt>
      <dd>
        <code>{`${location.origin}/demo-api/stock`}</code> by cursor, <code>/demo-api/products?page=1</code>{' '}
        by page, <code>/demo-api/products.csv</code>. Each request needs the header{' '}
        <code>X-Api-Key: demo-key</code>.
      </dd>
      <dt>A database</dt>
      <dd>
        The SQLite file <code>demo.sqlite</code> with the tables <code>products</code>, <code>prices</code>,{' '}
        <code>stock</code> and <code>content</code>; with <code>npm start</code> it is in DATA_DIR/sqlite.
      </dd>
    </dl>
  </section>
)

function NewBook({ filter, onFilter }: { filter: string; onFilter: (filter: string) => void }) {
  const accounts = useQuery(accountList)
  const file = useRef<HTMLInputElement>(null)
  const [owner, setOwner] = useState('ada@example.com')
  const open = ({ id }: BookSummary) => location.assign(bookUrl(id))
  const create = useMutation({ mutationFn: () => createBook('Untitled spreadsheet', owner), onSuccess: open })
  const upload = useMutation({ mutationFn: (chosen: File) => uploadBook(chosen, owner), onSuccess: open })
  const error = create.error ?? upload.error
  return (
    <div className="toolbar">
      <input
        type="search"
        aria-label="Find a spreadsheet"
        placeholder="Find a spreadsheet"
        value={filter}
        onChange={(event) => onFilter(event.target.value)}
      />
      <label>
        As
        <select value={owner} onChange={(event) => setOwner(event.target.value)}>
          {accounts.data?.accounts.map(({ email, name }) => (
            <option key={email} value={email}>
              {name} ({email})
            </option>
          ))}
        </select>
      </label>
      <button type="button" disabled={create.isPending} onClick={() => create.mutate()}>
        New spreadsheet
      </button>
      <button type="button" disabled={upload.isPending} onClick={() => file.current?.click()}>
        {upload.isPending ? 'Reading…' : 'Upload .xlsx'}
      </button>
      <input
        ref={file}
        type="file"
        hidden
        aria-label="An .xlsx file"
        accept=".xlsx,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
        onChange={(event) => {
          const [chosen] = event.target.files ?? []
          if (chosen !== undefined) upload.mutate(chosen)
          // Reset, so that selecting the same file again triggers a change event.
          event.target.value = ''
        }}
      />
      {error === null ? null : (
        <p className="error" role="alert">
          {error.message}
        </p>
      )}
    </div>
  )
}

function BookTable({ books }: { books: BookSummary[] }) {
  if (books.length === 0) return <p className="notice">No spreadsheet matches.</p>
  return (
    <div className="card">
      <table>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Tabs</th>
            <th scope="col">Owner</th>
            <th scope="col">Shared with</th>
            <th scope="col">Changed</th>
          </tr>
        </thead>
        <tbody>
          {books.map((book) => (
            <tr key={book.id}>
              <td>
                <a href={bookUrl(book.id)}>{book.title}</a>
                {book.trashed ? <span className="badge">In the bin</span> : null}
                <code>{book.id}</code>
              </td>
              <td>{book.tabs.join(', ')}</td>
              <td>{book.owner}</td>
              <td>{book.shared_with.join(', ') || '–'}</td>
              <td>
                <time dateTime={book.modified_time}>{new Date(book.modified_time).toLocaleString()}</time>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
