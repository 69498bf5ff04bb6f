import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { compilerOverrides } from '../../../../contract/overrides/calls.ts'
import { overrideMessages } from '../../../../contract/overrides/client-messages.ts'
import { problemOf } from '../../../csv-jobs/csv-file.ts'
import { call } from '../../../lib/call.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { CardTable } from '../../../ui/card-table.tsx'
import { Dialog, DialogFooter } from '../../../ui/dialog.tsx'
import { FileDrop } from '../../../ui/file-drop.tsx'
import { toast } from '../../../ui/toast.ts'
import { recordsChanged } from '../api.ts'
import { cutText } from '../records/cut-text.ts'
import classes from './overrides.module.css'
import { undoableToast } from './undo-overrides.ts'

const ERRORS_SHOWN = 10

type Props = { config_id: number; onClose: () => void }

/** Import of overrides: says what a file would do before it does it. */
export function ImportOverridesDialog({ config_id, onClose }: Props) {
  const client = useQueryClient()
  const [file, setFile] = useState<File | null>(null)
  const send = (chosen: File, apply: boolean) =>
    call(compilerOverrides.importCsv, { params: { id: config_id }, file: chosen, options: { apply } })
  const failed = (error: Error) => toast.error(reasonOf(error, overrideMessages.import_failed))
  const preview = useMutation({
    mutationFn: (chosen: File) => send(chosen, false),
    onError: (error) => {
      setFile(null)
      failed(error)
    },
  })
  const apply = useMutation({
    mutationFn: (chosen: File) => send(chosen, true),
    onSuccess: async ({ batch, set }) => {
      void undoableToast(client, { config_id, batch, message: overrideMessages.set_count(set) })
      onClose()
      await recordsChanged(client, config_id)
    },
    onError: failed,
  })
  const take = (files: File[]) => {
    const problem = problemOf(files)
    const [chosen] = files
    if (problem !== null || chosen === undefined)
      return toast.error(problem ?? overrideMessages.import_failed)
    setFile(chosen)
    preview.mutate(chosen)
  }
  const found = preview.data
  return (
    <Dialog title="Import overrides" size="lg" onClose={onClose}>
      <div className={classes.form}>
        <FileDrop
          what="a CSV file"
          accept=".csv,text/csv"
          hint={overrideMessages.file_hint}
          busy={preview.isPending || apply.isPending}
          onFiles={take}
        />
        {found && file && (
          <>
            <p role="status">{overrideMessages.file_result(found)}</p>
            {found.errors.length > 0 && (
              <ul className={classes.errors} aria-label="Refused rows">
                {found.errors.slice(0, ERRORS_SHOWN).map(({ row, message }) => (
                  <li key={row}>{overrideMessages.row(row, message)}</li>
                ))}
              </ul>
            )}
            {found.first.length > 0 && (
              <CardTable
                label="What the file sets"
                rows={found.first}
                keyOf={({ sku, field }) => `${sku} ${field}`}
                columns={[
                  { label: 'SKU', cell: ({ sku }) => cutText(sku) },
                  { label: 'Field', cell: ({ field }) => field },
                  { label: 'Now', cell: ({ before }) => cutText(String(before ?? '')) },
                  { label: 'Set to', cell: ({ after }) => cutText(String(after ?? 'blank')) },
                ]}
              />
            )}
          </>
        )}
        <DialogFooter>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            disabled={!found || !file || found.set === 0}
            loading={apply.isPending}
            onClick={() => file && apply.mutate(file)}
          >
            {overrideMessages.file_apply(found?.set ?? 0)}
          </Button>
        </DialogFooter>
      </div>
    </Dialog>
  )
}
