import { useDebouncedCallback } from '@mantine/hooks'
import { SearchInput } from './search-input.tsx'

type Props = {
  label: string
  placeholder: string
  className?: string | undefined
  disabled?: boolean
  /** The search text in the URL. */
  search: string
  /** Text being typed; the URL follows after a delay. Null: nothing is being typed. */
  typed: string | null
  onType: (text: string | null) => void
  onChange: (search: string) => void
  /** Enter, or Shift+Enter, after the URL has the text. */
  onEnter?: (backwards: boolean) => void
}

/** Search of a list, stored in the URL; `/` focuses it, Escape clears it. */
export function SearchField({
  label,
  placeholder,
  className,
  disabled,
  search,
  typed,
  onType,
  onChange,
  onEnter,
}: Props) {
  const write = useDebouncedCallback(onChange, { delay: 150, flushOnUnmount: true })
  return (
    <SearchInput
      {...(className !== undefined && { className })}
      disabled={disabled}
      aria-label={label}
      placeholder={placeholder}
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
        if (event.key === 'Enter' && onEnter) {
          event.preventDefault()
          write.flush()
          onEnter(event.shiftKey)
        }
        if (event.key !== 'Escape') return
        onType('')
        write('')
      }}
    />
  )
}
