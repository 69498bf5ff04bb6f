import { useDebouncedCallback } from '@mantine/hooks'
import { SearchInput } from './search-input.tsx'

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
        if (event.key !== 'Escape') return
        onType('')
        write('')
      }}
    />
  )
}
