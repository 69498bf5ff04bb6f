import { Alert, Button, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { limits } from '../../../contract/limits.ts'
import { taskDialogMessages as messages } from '../../../contract/tasks/dialog-messages.ts'
import { CallError } from '../../lib/call.ts'
import { reasonOf } from '../../lib/query-client.ts'
import { useUnsavedInput } from '../../lib/unsaved-input.ts'
import { toast } from '../../ui/toast.ts'
import type { Noted, NotesCalls } from './notes-calls.ts'
import classes from './notes-section.module.css'

type Props = { noted: Noted; calls: NotesCalls; onClose: () => void }

/**
 * Edits notes. If only other fields changed meanwhile, the save is repeated for the newer version; if the notes did,
 * both texts are shown, and nothing is overwritten unseen.
 */
export function NotesEditor({ noted, calls, onClose }: Props) {
  const [base, setBase] = useState(noted)
  const [text, setText] = useState(noted.notes)
  const [theirs, setTheirs] = useState<string | null>(null)
  useUnsavedInput(text !== base.notes)
  const save = useMutation({
    mutationFn: async (notes: string): Promise<'saved' | 'changed'> => {
      try {
        await calls.save({ notes, updated_at: base.updated_at })
        return 'saved'
      } catch (error) {
        if (!(error instanceof CallError) || error.code !== 'stale_update') throw error
        const fresh = await calls.readFresh()
        setBase(fresh)
        if (fresh.notes !== base.notes) {
          setTheirs(fresh.notes)
          return 'changed'
        }
        await calls.save({ notes, updated_at: fresh.updated_at })
        return 'saved'
      }
    },
    onSuccess: async (end) => {
      if (end === 'changed') return
      await calls.onSaved()
      toast.success(messages.notes_saved)
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate(text)
  }
  return (
    <form className={classes.editor} onSubmit={submit}>
      {theirs !== null && (
        <Alert color="yellow" role="alert" title={messages.notes_changed}>
          <pre className={classes.other}>{theirs || messages.notes_empty}</pre>
        </Alert>
      )}
      <Textarea
        aria-label={messages.notes}
        description={messages.notes_hint}
        inputWrapperOrder={['input', 'description', 'error']}
        autosize
        minRows={5}
        maxRows={24}
        maxLength={limits.notes_characters}
        data-autofocus
        autoFocus
        value={text}
        error={save.isError ? reasonOf(save.error, messages.notes_failed) : undefined}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <div className={classes.buttons}>
        <Button type="submit" loading={save.isPending}>
          Save
        </Button>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
