import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { Folder } from '../../../../contract/folders/calls.ts'
import { folderMessages as messages } from '../../../../contract/folders/client-messages.ts'
import { CardTable } from '../../../ui/card-table.tsx'
import { LoadError, LoadingRows } from '../../../ui/states.tsx'
import { ForAdmins } from '../components/list-section.tsx'
import { SettingsSection } from '../components/settings-section.tsx'
import { foldersQuery } from './folder-calls.ts'

const FolderDialog = lazy(async () => ({ default: (await import('./folder-dialog.tsx')).FolderDialog }))

/** Who may use which folder of files. */
export const FoldersSection = () => (
  <ForAdmins id="folders" labels={messages}>
    <Folders />
  </ForAdmins>
)

function Folders() {
  const query = useQuery(foldersQuery)
  const [editing, setEditing] = useState<Folder | null>(null)
  return (
    <SettingsSection id="folders" title={messages.title} hint={messages.hint} actions={null}>
      {query.isError && <LoadError message={messages.load_failed} onRetry={() => query.refetch()} />}
      {query.isPending && <LoadingRows rows={1} label={messages.loading} />}
      {query.data && query.data.length > 0 && (
        <CardTable
          label={messages.title}
          rows={query.data}
          keyOf={({ name }) => name}
          columns={[
            { label: 'Folder', cell: ({ name }) => name },
            {
              label: 'Files',
              cell: ({ is_writable }) => (is_writable ? messages.writable : messages.read_only),
            },
            {
              label: 'People',
              cell: ({ people }) => people?.map(({ email }) => email).join(', ') ?? messages.everybody,
            },
            {
              label: 'Actions',
              place: 'corner',
              cell: (folder) => (
                <Button
                  variant="default"
                  size="xs"
                  aria-label={messages.edit(folder.name)}
                  onClick={() => setEditing(folder)}
                >
                  Edit
                </Button>
              ),
            },
          ]}
        />
      )}
      <Suspense>{editing && <FolderDialog folder={editing} onClose={() => setEditing(null)} />}</Suspense>
    </SettingsSection>
  )
}
