import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { flushSync } from 'react-dom'
import type { BookDetail } from '../../page-calls/wire.ts'
import { addTab, bookDetail, renameTab } from './api.ts'

type TabStripProps = { book: BookDetail; shownId: number | undefined; onShow: (id: number) => void }

/** Tabs of a spreadsheet: select, rename (double click or F2) and add. */
export function TabStrip({ book, shownId, onShow }: TabStripProps) {
  const client = useQueryClient()
  const [renamed, setRenamed] = useState<number>()
  const refresh = () => client.invalidateQueries(bookDetail(book.id))
  const rename = useMutation({
    mutationFn: ({ id, title }: { id: number; title: string }) => renameTab(book.id, id, title),
    onSettled: refresh,
  })
  const add = useMutation({
    mutationFn: () => addTab(book.id, freeTitle(book.tabs.map(({ title }) => title))),
    onSuccess: ({ id }) => refresh().then(() => onShow(id)),
  })
  const finishRename = (id: number, title: string | undefined) => {
    const before = book.tabs.find((tab) => tab.id === id)?.title
    if (title !== undefined && title.trim() !== '' && title !== before) rename.mutate({ id, title })
    setRenamed(undefined)
  }
  const finishByKey = (id: number, title: string | undefined) => {
    // Removes the field first. Otherwise its blur event would rename a second time.
    flushSync(() => finishRename(id, title))
    document.getElementById(buttonId(id))?.focus()
  }
  const error = rename.error ?? add.error
  return (
    <nav className="tabs" aria-label="Tabs">
      <ul>
        {book.tabs
          .filter(({ hidden }) => !hidden)
          .map(({ id, title }) => (
            <li key={id}>
              {renamed === id ? (
                <TitleField
                  title={title}
                  onDone={(next) => finishByKey(id, next)}
                  onLeave={(next) => finishRename(id, next)}
                />
              ) : (
                <button
                  id={buttonId(id)}
                  type="button"
                  aria-current={id === shownId ? 'page' : undefined}
                  onClick={() => onShow(id)}
                  onDoubleClick={() => setRenamed(id)}
                  onKeyDown={(event) => event.key === 'F2' && setRenamed(id)}
                  title="F2 or double click renames"
                >
                  {title}
                </button>
              )}
            </li>
          ))}
      </ul>
      <button type="button" className="add" onClick={() => add.mutate()}>
        Add tab
      </button>
      {error === null ? null : (
        <span className="error" role="alert">
          {error.message}
        </span>
      )}
    </nav>
  )
}

const buttonId = (tab: number) => `tab-${tab}`

type TitleFieldProps = {
  title: string
  /** Undefined cancels. */
  onDone: (title: string | undefined) => void
  onLeave: (title: string) => void
}

function TitleField({ title, onDone, onLeave }: TitleFieldProps) {
  const [draft, setDraft] = useState(title)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onDone(draft)
  }
  return (
    <form onSubmit={submit}>
      <input
        aria-label={`New name of ${title}`}
        value={draft}
        maxLength={100}
        // biome-ignore lint/a11y/noAutofocus: the person has just asked to rename this tab
        autoFocus
        onFocus={(event) => event.target.select()}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && onDone(undefined)}
        onBlur={() => onLeave(draft)}
      />
    </form>
  )
}

function freeTitle(taken: string[]): string {
  for (let number = taken.length + 1; ; number += 1) {
    const title = `Sheet${number}`
    if (!taken.includes(title)) return title
  }
}
