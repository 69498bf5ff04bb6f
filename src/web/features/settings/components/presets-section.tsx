import { ActionIcon, Button } from '@mantine/core'
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { messages } from '../../../../contract/screen-messages.ts'
import type { SyncPreset } from '../../../../contract/sync-presets.ts'
import { formatNumber } from '../../../lib/format.ts'
import { CardTable } from '../../../ui/card-table.tsx'
import { EmptyState, LoadError, LoadingRows } from '../../../ui/states.tsx'
import { presetsQuery } from '../api.ts'
import classes from './presets-section.module.css'
import { SettingsSection } from './settings-section.tsx'

const PresetDialog = lazy(async () => ({ default: (await import('./preset-dialog.tsx')).PresetDialog }))

const DeletePresetDialog = lazy(async () => ({
  default: (await import('./delete-preset-dialog.tsx')).DeletePresetDialog,
}))

type Open = { kind: 'add' } | { kind: 'edit' | 'delete'; preset: SyncPreset }

/** Presets: named lists of fields that a copy leaves out. */
export function PresetsSection() {
  const query = useQuery(presetsQuery)
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  const add = () => setOpen({ kind: 'add' })
  return (
    <SettingsSection
      title="Sync presets"
      actions={
        query.data &&
        query.data.length > 0 && (
          <Button variant="default" leftSection={<IconPlus size={17} aria-hidden />} onClick={add}>
            Add preset
          </Button>
        )
      }
    >
      {query.isError && (
        <LoadError message={messages.fetch_sync_presets_failed} onRetry={() => query.refetch()} />
      )}
      {query.isPending && <LoadingRows rows={3} label="Loading sync presets" />}
      {query.data?.length === 0 && (
        <EmptyState title={messages.no_presets} hint={messages.no_presets_hint} level={3}>
          <Button onClick={add}>Add preset</Button>
        </EmptyState>
      )}
      {query.data && query.data.length > 0 && (
        <CardTable
          label="Sync presets"
          keyOf={({ id }) => id}
          rows={query.data}
          columns={[
            { label: 'Name', cell: ({ name }) => name },
            { label: 'Fields left out', cell: ({ excluded_fields }) => excluded_fields.join(', ') },
            { label: 'Tasks', cell: ({ tasks_count }) => formatNumber(tasks_count), place: 'end' },
            {
              label: 'Actions',
              place: 'corner',
              cell: (preset) => (
                <span className={classes.actions}>
                  <ActionIcon
                    aria-label={`Edit ${preset.name}`}
                    title="Edit"
                    onClick={() => setOpen({ kind: 'edit', preset })}
                  >
                    <IconPencil size={17} />
                  </ActionIcon>
                  <ActionIcon
                    aria-label={`Delete ${preset.name}`}
                    title="Delete"
                    onClick={() => setOpen({ kind: 'delete', preset })}
                  >
                    <IconTrash size={17} />
                  </ActionIcon>
                </span>
              ),
            },
          ]}
        />
      )}
      <Suspense>
        {open?.kind === 'add' && <PresetDialog preset={null} onClose={close} />}
        {open?.kind === 'edit' && <PresetDialog preset={open.preset} onClose={close} />}
        {open?.kind === 'delete' && <DeletePresetDialog preset={open.preset} onClose={close} />}
      </Suspense>
    </SettingsSection>
  )
}
