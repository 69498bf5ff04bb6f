import { type ReactNode, useState } from 'react'

type FrameProps = {
  title: string
  detail: string
  actions: ReactNode
  aside: ReactNode
  children: ReactNode
}

/** Page layout: header, content and a collapsible control panel. */
export function Frame({ title, detail, actions, aside, children }: FrameProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <div className="frame">
      <header>
        <a className="home" href="/">
          <span className="for-readers">All spreadsheets</span>
          <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
            <path
              d="M4 5h16v14H4zM4 10h16M4 14.5h16M10 5v14"
              fill="none"
              stroke="currentColor"
              strokeWidth="1.6"
            />
          </svg>
        </a>
        <div className="heading">
          <h1>{title}</h1>
          <p>{detail}</p>
        </div>
        <div className="actions">
          {actions}
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls="controls"
            onClick={() => setIsOpen(!isOpen)}
          >
            Controls
          </button>
        </div>
      </header>
      <main>{children}</main>
      {isOpen ? (
        <aside id="controls" aria-label="Controls">
          {aside}
        </aside>
      ) : null}
    </div>
  )
}
