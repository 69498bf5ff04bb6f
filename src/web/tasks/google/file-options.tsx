import { Combobox } from '@mantine/core'
import { IconArrowUp, IconFile, IconFolder } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { isFilePath } from '../../../contract/files/providers.ts'
import { limits } from '../../../contract/limits.ts'
import type { FolderEntry } from '../../../contract/spreadsheets/calls.ts'
import { spreadsheetMessages } from '../../../contract/spreadsheets/client-messages.ts'
import { reasonOf } from '../../lib/query-client.ts'
import { useTimeZone } from '../../lib/session.ts'
import { formatMoment } from '../../lib/time-zone.ts'
import classes from './file-options.module.css'
import { filesQuery } from './google-queries.ts'

type Props = {
  /** A path, or other text; while it is typed, its last part filters by name. */
  text: string
  value: string
  isTyping: boolean
  /** Only what runs can write is offered. */
  isTarget: boolean
}

/** Options of a Combobox: the folders and files at a path. The value of a folder ends with a slash. */
export function FileOptions({ text, value, isTyping, isTarget }: Props) {
  const end = isFilePath(text) ? text.lastIndexOf('/') : -1
  const folder = text.slice(0, Math.max(0, end))
  const filter = isTyping
    ? text
        .slice(end + 1)
        .trim()
        .toLowerCase()
    : ''
  const { data, error } = useQuery(filesQuery(folder))
  const shown =
    data?.entries.filter(
      ({ name, writable }) => name.toLowerCase().includes(filter) && (writable || !isTarget),
    ) ?? []
  // Other text looks for spreadsheets by name.
  if (folder === '' && filter !== '' && shown.length === 0) return null
  const above = folder.includes('/') ? folder.slice(0, folder.lastIndexOf('/') + 1) : ''
  return (
    <Combobox.Group label={folder === '' ? spreadsheetMessages.folders : folder}>
      {folder !== '' && (
        <Combobox.Option value={above} className={classes.entry}>
          <IconArrowUp size={15} aria-hidden />
          {above === ''
            ? spreadsheetMessages.all_folders
            : spreadsheetMessages.parent_folder(above.slice(0, -1))}
        </Combobox.Option>
      )}
      {shown.map((entry) => (
        <EntryOption key={entry.path} entry={entry} isChosen={entry.path === value} />
      ))}
      {error && <Combobox.Empty>{reasonOf(error, spreadsheetMessages.fetch_files_failed)}</Combobox.Empty>}
      {data && shown.length === 0 && <Combobox.Empty>{emptyText(folder, isTarget)}</Combobox.Empty>}
      {data?.has_more && (
        <Combobox.Empty>{spreadsheetMessages.folder_more(limits.folder_entries)}</Combobox.Empty>
      )}
    </Combobox.Group>
  )
}

const emptyText = (folder: string, isTarget: boolean) => {
  if (!isTarget) return spreadsheetMessages.folder_empty
  return folder === '' ? spreadsheetMessages.no_writable_folder : spreadsheetMessages.folder_empty_target
}

function EntryOption({ entry, isChosen }: { entry: FolderEntry; isChosen: boolean }) {
  const zone = useTimeZone()
  const { kind, path, name, size, modified_at, problem } = entry
  const Icon = kind === 'folder' ? IconFolder : IconFile
  const facts = [
    size !== null && `${Math.ceil(size / 1024).toLocaleString('en')} kB`,
    modified_at !== null && `changed ${formatMoment(modified_at, zone)}`,
    problem,
  ].filter(Boolean)
  return (
    <Combobox.Option
      value={kind === 'folder' ? `${path}/` : path}
      disabled={problem !== null}
      active={isChosen}
      className={classes.entry}
    >
      <Icon size={15} aria-hidden />
      <span className={classes.name}>
        {name}
        {facts.length > 0 && <span className={classes.facts}>{facts.join(' · ')}</span>}
      </span>
    </Combobox.Option>
  )
}
