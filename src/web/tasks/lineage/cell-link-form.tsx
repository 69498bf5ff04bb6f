import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { lineageMessages as messages } from '../../../contract/lineage/client-messages.ts'
import classes from './cell-link-form.module.css'
import { lineagePath } from './lineage-path.ts'

type Props = {
  /** The link that is shown at first. */
  link?: string
  onFind?: () => void
}

/** Field for the link of a cell; opens the page that says where it comes from. */
export function CellLinkForm({ link = '', onFind }: Props) {
  const navigate = useNavigate()
  const [typed, setTyped] = useState(link)
  const [error, setError] = useState<string | null>(null)
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (typed.trim() === '') return setError(messages.link_required)
        onFind?.()
        return navigate(lineagePath({ link: typed.trim() }))
      }}
    >
      <TextInput
        className={classes.field}
        label={messages.link_label}
        description={messages.link_hint}
        placeholder={messages.link_placeholder}
        error={error}
        inputWrapperOrder={['label', 'description', 'error', 'input']}
        spellCheck={false}
        autoComplete="off"
        data-autofocus
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          setError(null)
        }}
      />
      <Button type="submit">{messages.search}</Button>
    </form>
  )
}
