import { Button } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { taskDialogMessages as messages } from '../../../contract/tasks/dialog-messages.ts'
import section from '../history/page-section.module.css'
import type { Noted, NotesCalls } from './notes-calls.ts'
import classes from './notes-section.module.css'

const Markdown = lazy(async () => ({ default: (await import('./markdown.tsx')).Markdown }))
const NotesEditor = lazy(async () => ({ default: (await import('./notes-editor.tsx')).NotesEditor }))

type Props = { noted: Noted; calls: NotesCalls }

/** What colleagues should know about a task or configuration: shown as Markdown, and edited in place. */
export function NotesSection({ noted, calls }: Props) {
  const [editing, setEditing] = useState(false)
  return (
    <section className={section.section} aria-labelledby="notes">
      <div className={section.head}>
        <h2 id="notes">{messages.notes}</h2>
        {!editing && (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconPencil size={15} aria-hidden />}
            onClick={() => setEditing(true)}
          >
            {noted.notes === '' ? messages.add_notes : messages.edit_notes}
          </Button>
        )}
      </div>
      <Suspense fallback={<p className={classes.plain}>{noted.notes}</p>}>
        {editing ? (
          <NotesEditor noted={noted} calls={calls} onClose={() => setEditing(false)} />
        ) : noted.notes === '' ? (
          <p className={section.none}>{messages.no_notes}</p>
        ) : (
          <div className={classes.card}>
            <Markdown text={noted.notes} />
          </div>
        )}
      </Suspense>
    </section>
  )
}
