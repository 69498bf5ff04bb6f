import { Kbd, TextInput } from '@mantine/core'
import { useDebouncedCallback, useHotkeys } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useRef } from 'react'

type Props = {
  label: string
  placeholder: string
  className?: string | undefined
  disabled?: boolean
  /** What the address holds. */
  search: string
  /** What is being typed; the address follows a moment later. Null: nothing. */
  typed: string | null
  onType: (text: string | null) => void
  onChange: (search: string) => void
}

/** A search over a list, kept in the address; `/` goes to it, Escape empties it. */
export function SearchField({
  label,
  placeholder,
  className,
  disabled,
  search,
  typed,
  onType,
  onChange,
}: Props) {
  const field = useRef<HTMLInputElement>(null)
  useHotkeys([['/', () => field.current?.focus()]])
  const write = useDebouncedCallback(onChange, { delay: 150, flushOnUnmount: true })
  return (
    <TextInput
      ref={field}
      {...(className !== undefined && { className })}
      disabled={disabled}
      type="search"
      aria-label={label}
      aria-keyshortcuts="/"
      placeholder={placeholder}
      leftSection={<IconSearch size={17} aria-hidden />}
      rightSection={
        <Kbd className="key-hint" aria-hidden>
          /
        </Kbd>
      }
      value={typed ?? search}
      onChange={(event) => {
        onType(event.currentTarget.value)
        write(event.currentTarget.value)
      }}
      onBlur={() => {
        write.flush()
        onType(null)
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        onType('')
        write('')
      }}
    />
  )
}
