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
  /** Accepted files. */
  hint: string
  /** The chosen file. */
  file: File | null
  busy: boolean
  /** Status text while the file is imported. */
  reading: string
  /** Progress in percent; null while unknown. */
  percent: number | null
  /** The import has finished: there is nothing more to send. */
  imported: boolean
  onFiles: (files: File[]) => void
  onSend: () => void
  onClose: () => void
  options?: ReactNode
  /** Errors or results. */
  children: ReactNode
  help: ReactNode
}

/** Dialog that imports a CSV file, with progress and result. */
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
          <ProgressBar percent={props.percent} label="Import progress" />
        </div>
      )}
      {children}
      <div className={classes.help}>{props.help}</div>
    </div>
    <DialogFooter>
      {/* a running import continues after the dialog is closed */}
      <CancelButton label={busy || props.imported ? 'Close' : 'Cancel'} />
      <Button loading={busy} disabled={props.imported} onClick={props.onSend}>
        Import
      </Button>
    </DialogFooter>
  </FormDialog>
)
