import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { BookDetail } from '../../page-calls/wire.ts'
import { bookDetail, cellSource, enterCells } from './api.ts'
import { columnName } from './column-name.ts'
import { Grid } from './grid.tsx'
import type { Place } from './movement.ts'
import { TabStrip } from './tab-strip.tsx'
import { useHash } from './use-hash.ts'

const topLeft = { row: 0, column: 0 }
/** Browsers limit elements to 33,554,428 pixels; a row has 26. */
const mostRows = 1_250_000

/** A loaded spreadsheet. As in Google, `#gid=` selects the tab. */
export function BookEditor({ book }: { book: BookDetail }) {
  const [hash, setHash] = useHash()
  const wanted = Number(/^#gid=(\d+)$/.exec(hash)?.[1])
  const tab = book.tabs.find(({ id }) => id === wanted) ?? book.tabs.find(({ hidden }) => !hidden)
  return (
    <div className="book">
      {tab === undefined ? (
        <p className="notice">This spreadsheet has no visible tab.</p>
      ) : (
        <TabEditor key={tab.id} book={book} tab={tab} />
      )}
      <TabStrip book={book} shownId={tab?.id} onShow={(id) => setHash(`#gid=${id}`)} />
    </div>
  )
}

function TabEditor({ book, tab }: { book: BookDetail; tab: BookDetail['tabs'][number] }) {
  const client = useQueryClient()
  const [active, setActive] = useState<Place>(topLeft)
  const source = useQuery({
    ...cellSource(book.id, tab.id, book.version, active),
    // Keeps the previous text during a reload of the same cell, but not after moving to another cell.
    placeholderData: (previous, query) =>
      query?.queryKey.slice(-2).join() === `${active.row},${active.column}` ? previous : undefined,
  })
  const enter = useMutation({
    mutationFn: ({ at, typed }: { at: Place; typed: string[][] }) =>
      enterCells(book.id, tab.id, { ...at, typed }),
    onSettled: () => client.invalidateQueries(bookDetail(book.id)),
  })
  return (
    <>
      <div className="formula">
        <span className="address">
          {columnName(active.column)}
          {active.row + 1}
        </span>
        <output aria-label="Content of the active cell">{source.data?.text}</output>
        <span className="format">{source.data?.number_format}</span>
        {tab.row_count > mostRows ? (
          <span className="format">The first {mostRows.toLocaleString()} rows are shown.</span>
        ) : null}
        {enter.isError ? (
          <span className="error" role="alert">
            {enter.error.message}
          </span>
        ) : null}
      </div>
      <Grid
        bookId={book.id}
        tab={{ ...tab, row_count: Math.min(tab.row_count, mostRows) }}
        version={book.version}
        active={active}
        onMove={setActive}
        onEnter={(at, typed) => enter.mutate({ at, typed })}
        source={source.data?.text}
      />
    </>
  )
}
