import { ActionIcon } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { SyncPreset } from '../../../../contract/sync-presets/calls.ts'
import { presetMessages } from '../../../../contract/sync-presets/client-messages.ts'
import { syncTaskMessages } from '../../../../contract/sync-tasks/client-messages.ts'
import { formatNumber } from '../../../lib/format.ts'
import { CardTable } from '../../../ui/card-table.tsx'
import { presetsQuery } from '../api.ts'
import { ListSection } from './list-section.tsx'

const PresetDialog = lazy(async () => ({ default: (await import('./preset-dialog.tsx')).PresetDialog }))

const DeletePresetDialog = lazy(async () => ({
  default: (await import('./delete-preset-dialog.tsx')).DeletePresetDialog,
}))

type Open = { kind: 'add' } | { kind: 'edit' | 'delete'; preset: SyncPreset }

const labels = {
  title: 'Sync presets',
  add: 'Add preset',
  fetch_failed: syncTaskMessages.fetch_sync_presets_failed,
  none_yet: presetMessages.no_presets,
  none_yet_hint: presetMessages.no_presets_hint,
}

/** Presets: named lists of columns to skip. */
export function PresetsSection() {
  const query = useQuery(presetsQuery)
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  return (
    <>
      <ListSection id="presets" labels={labels} query={query} add={() => setOpen({ kind: 'add' })}>
        {(presets) => <PresetTable presets={presets} onOpen={setOpen} />}
      </ListSection>
      <Suspense>
        {open?.kind === 'add' && <PresetDialog preset={null} onClose={close} />}
        {open?.kind === 'edit' && <PresetDialog preset={open.preset} onClose={close} />}
        {open?.kind === 'delete' && <DeletePresetDialog preset={open.preset} onClose={close} />}
      </Suspense>
    </>
  )
}

const PresetTable = ({ presets, onOpen }: { presets: SyncPreset[]; onOpen: (open: Open) => void }) => (
  <CardTable
    label={labels.title}
    keyOf={({ id }) => id}
    rows={presets}
    columns={[
      { label: 'Name', cell: ({ name }) => name },
      { label: 'Skipped fields', cell: ({ excluded_fields }) => excluded_fields.join(', ') },
      { label: 'Tasks', cell: ({ tasks_count }) => formatNumber(tasks_count), place: 'end' },
      {
        label: 'Actions',
        place: 'corner',
        cell: (preset) => (
          <>
            <ActionIcon
              aria-label={`Edit ${preset.name}`}
              title="Edit"
              onClick={() => onOpen({ kind: 'edit', preset })}
            >
              <IconPencil size={17} />
            </ActionIcon>
            <ActionIcon
              aria-label={`Delete ${preset.name}`}
              title="Delete"
              onClick={() => onOpen({ kind: 'delete', preset })}
            >
              <IconTrash size={17} />
            </ActionIcon>
          </>
        ),
      },
    ]}
  />
)
