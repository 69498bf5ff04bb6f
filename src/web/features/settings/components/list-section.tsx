import { Button, type ButtonProps } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useSession } from '../../../lib/session.ts'
import { EmptyState, LoadError, LoadingRows } from '../../../ui/states.tsx'
import type { SectionId } from './sections.ts'
import { SettingsSection } from './settings-section.tsx'

type Props<Row> = {
  id: SectionId
  labels: Labels
  query: UseQueryResult<Row[]>
  /** Opens the dialog that adds an item, or the path of the page that does. */
  add: (() => void) | string
  /** Renders the table if there are rows. */
  children: (rows: Row[]) => ReactNode
}

type Labels = {
  title: string
  hint?: string
  add: string
  fetch_failed: string
  none_yet: string
  none_yet_hint: string
}

/** A settings section with a list and a button to add an item. */
export function ListSection<Row>({ id, labels, query, add, children }: Props<Row>) {
  const rows = query.data
  return (
    <SettingsSection
      id={id}
      title={labels.title}
      hint={labels.hint}
      actions={
        rows &&
        rows.length > 0 && (
          <AddButton add={add} variant="default" leftSection={<IconPlus size={17} aria-hidden />}>
            {labels.add}
          </AddButton>
        )
      }
    >
      {query.isError && <LoadError message={labels.fetch_failed} onRetry={() => query.refetch()} />}
      {query.isPending && <LoadingRows rows={3} label={`Loading ${labels.title.toLowerCase()}`} />}
      {rows?.length === 0 && (
        <EmptyState title={labels.none_yet} hint={labels.none_yet_hint} level={3}>
          <AddButton add={add}>{labels.add}</AddButton>
        </EmptyState>
      )}
      {rows && rows.length > 0 && children(rows)}
    </SettingsSection>
  )
}

const AddButton = ({ add, ...props }: ButtonProps & { add: (() => void) | string }) =>
  typeof add === 'string' ? (
    <Button component={Link} to={add} {...props} />
  ) : (
    <Button onClick={add} {...props} />
  )

type ForAdminsProps = { id: SectionId; labels: { title: string; admins_only: string }; children: ReactNode }

/** Shows its content to administrators, and a note to other users. */
export function ForAdmins({ id, labels, children }: ForAdminsProps) {
  const is_admin = useSession()?.is_admin
  if (is_admin === undefined) return null
  if (is_admin) return children
  return (
    <SettingsSection id={id} title={labels.title} hint={labels.admins_only} actions={null}>
      {null}
    </SettingsSection>
  )
}
