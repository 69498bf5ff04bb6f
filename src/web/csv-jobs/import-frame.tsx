import { Button } from '@mantine/core'
import { IconFileTypeCsv } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { formatBytes } from '../lib/format.ts'
import { DialogFooter } from '../ui/dialog.tsx'
import { FileDrop } from '../ui/file-drop.tsx'
import { CancelButton, FormDialog } from '../ui/form-dialog.tsx'
import { ProgressBar } from '../ui/progress-bar.tsx'
import classes from './import-dialog.module.css'

type Props = {
  title: string
  /** Which files are taken. */
  hint: string
  /** The one that is chosen. */
  file: File | null
  busy: boolean
  /** What is said while it is read. */
  reading: string
  /** How much of it is read, 0 to 100; null while unknown. */
  percent: number | null
  /** It is imported: there is nothing to send any more. */
  imported: boolean
  onFiles: (files: File[]) => void
  onSend: () => void
  onClose: () => void
  options?: ReactNode
  /** What stands in the way, or became of it. */
  children: ReactNode
  help: ReactNode
}

/** A dialog that takes a CSV file, shows how far its import is, and what became of it. */
export const ImportFrame = ({ file, busy, children, ...props }: Props) => (
  <FormDialog title={props.title} size="lg" dirty={false} onClose={props.onClose}>
    <div className={classes.body}>
      <FileDrop what="a CSV file" accept=".csv" hint={props.hint} busy={busy} onFiles={props.onFiles} />
      {file && (
        <p className={classes.file}>
          <IconFileTypeCsv size={20} aria-hidden />
          <b>{file.name}</b> <span>{formatBytes(file.size)}</span>
        </p>
      )}
      {props.options && (
        <fieldset className={classes.options} disabled={busy}>
          <legend>Options</legend>
          {props.options}
        </fieldset>
      )}
      {busy && (
        <div className={classes.progress} role="status">
          <span>{props.reading}</span>
          <ProgressBar percent={props.percent} label="Part of the file that is read" />
        </div>
      )}
      {children}
      <div className={classes.help}>{props.help}</div>
    </div>
    <DialogFooter>
      {/* what is on its way goes on */}
      <CancelButton label={busy || props.imported ? 'Close' : 'Cancel'} />
      <Button loading={busy} disabled={props.imported} onClick={props.onSend}>
        Import
      </Button>
    </DialogFooter>
  </FormDialog>
)
