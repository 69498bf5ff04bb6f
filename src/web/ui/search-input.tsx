import { IconSearch } from '@tabler/icons-react'
import { type ComponentProps, useRef } from 'react'
import { useSingleKeys } from '../lib/single-keys.ts'
import classes from './field.module.css'
import { ariaKeys, shortcuts } from './shortcuts.ts'
import { useShortcut } from './use-shortcut.ts'

/** Search input of a list, which its shortcut focuses. */
export function SearchInput({ className, ...props }: Omit<ComponentProps<'input'>, 'type' | 'ref'>) {
  const field = useRef<HTMLInputElement>(null)
  const has_key = useSingleKeys()
  useShortcut('search', () => field.current?.focus())
  return (
    <span className={className ? `${classes.search} ${className}` : classes.search}>
      <IconSearch size={17} aria-hidden />
      <input
        ref={field}
        type="search"
        className={classes.input}
        {...(has_key && { 'aria-keyshortcuts': ariaKeys(shortcuts.search) })}
        {...props}
      />
      {has_key && (
        <kbd className="key-hint" aria-hidden>
          {shortcuts.search.key}
        </kbd>
      )}
    </span>
  )
}
