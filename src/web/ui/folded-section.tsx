import { Input } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import classes from './folded-section.module.css'

type Props = {
  title: string
  hint?: string
  /** What it is set to, in a few words. */
  state: string
  error?: ReactNode
  onToggle?: (isOpen: boolean) => void
  children: ReactNode
}

/** A collapsible section of a form. An error expands it, and it stays so when the error is mended. */
export function FoldedSection({ title, hint, state, error, onToggle, children }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details
      className={classes.section}
      open={isOpen || Boolean(error)}
      onToggle={({ currentTarget, target }) => {
        // Sections inside it toggle, too.
        if (currentTarget !== target) return
        setIsOpen(currentTarget.open)
        onToggle?.(currentTarget.open)
      }}
    >
      <summary>
        {title}
        <span>{state}</span>
      </summary>
      <div className={classes.body}>
        {hint && <p>{hint}</p>}
        {children}
        {error && <Input.Error>{error}</Input.Error>}
      </div>
    </details>
  )
}
