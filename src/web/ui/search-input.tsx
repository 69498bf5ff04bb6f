import { Kbd, TextInput, type TextInputProps } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useRef } from 'react'

/** The field that searches the list of a page; the key `/` goes to it. */
export function SearchInput(props: Omit<TextInputProps, 'type' | 'leftSection' | 'rightSection'>) {
  const field = useRef<HTMLInputElement>(null)
  useHotkeys([['/', () => field.current?.focus()]])
  return (
    <TextInput
      ref={field}
      type="search"
      aria-keyshortcuts="/"
      leftSection={<IconSearch size={17} aria-hidden />}
      rightSection={
        <Kbd className="key-hint" aria-hidden>
          /
        </Kbd>
      }
      {...props}
    />
  )
}
