// biome-ignore-all lint/a11y/useSemanticElements: a table element cannot hold 100,000 rows of which 40 exist
// biome-ignore-all lint/a11y/useFocusableInteractive: focus stays on the grid, aria-activedescendant names the cell
import { type KeyboardEvent, memo, type ReactNode, useState } from 'react'

type CellProps = {
  id: string
  row: number
  column: number
  left: number
  width: number
  /** Undefined while loading. */
  text: string | undefined
  kind: string
  isActive: boolean
  /** The editor, while the cell is edited. */
  children: ReactNode
}

const classOfKind: Record<string, string> = { n: 'numeric', b: 'boolean', e: 'failed' }

/** One cell. It is highlighted briefly when its text changes. Events are handled by the grid. */
export const Cell = memo(function Cell({
  id,
  row,
  column,
  left,
  width,
  text,
  kind,
  isActive,
  children,
}: CellProps) {
  const [first, setFirst] = useState(text)
  if (first === undefined && text !== undefined) setFirst(text)
  const isFresh = first !== undefined && text !== undefined && text !== first
  return (
    <span
      id={id}
      role="gridcell"
      aria-colindex={column + 2}
      aria-selected={isActive}
      data-row={row}
      data-column={column}
      className={`cell ${classOfKind[kind] ?? ''} ${isActive ? 'active' : ''}`}
      style={{ left, width }}
    >
      {children ?? (
        <span key={text} className={isFresh ? 'text fresh' : 'text'}>
          {text}
        </span>
      )}
    </span>
  )
})

type CellEditorProps = {
  name: string
  draft: string
  onChange: (draft: string) => void
  /** Undefined cancels the edit. `step` moves the active cell. */
  onDone: (typed: string | undefined, step: { rows: number; columns: number }) => void
  /** Focus was lost; the entered text is saved. */
  onLeave: (typed: string) => void
}

const stay = { rows: 0, columns: 0 }

export function CellEditor({ name, draft, onChange, onDone, onLeave }: CellEditorProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onDone(undefined, stay)
    else if (event.key === 'Enter' && event.altKey) onChange(`${draft}\n`)
    else if (event.key === 'Enter') onDone(draft, { rows: 1, columns: 0 })
    else if (event.key === 'Tab') onDone(draft, { rows: 0, columns: event.shiftKey ? -1 : 1 })
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <textarea
      className="editor"
      aria-label={`Edit ${name}`}
      rows={draft.split('\n').length}
      value={draft}
      // biome-ignore lint/a11y/noAutofocus: the person has just asked to edit this cell
      autoFocus
      onFocus={(event) => event.target.setSelectionRange(draft.length, draft.length)}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={onKeyDown}
      onBlur={() => onLeave(draft)}
    />
  )
}
