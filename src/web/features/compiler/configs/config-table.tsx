import { ActionIcon } from '@mantine/core'
import { IconPencil, IconTable, IconTrash } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { CompilerConfig } from '../../../../contract/compiler/configs.ts'
import type { TaskState } from '../../../../contract/tasks/schemas.ts'
import { formatNumber } from '../../../lib/format.ts'
import { Badge } from '../../../ui/badge.tsx'
import { CardTable } from '../../../ui/card-table.tsx'
import { CompileButton } from '../components/compile-button.tsx'
import { CompileLine } from '../components/compile-line.tsx'
import { recordsPath } from '../records/record-filters.ts'
import classes from './config-table.module.css'

type Props = {
  configs: readonly CompilerConfig[]
  /** What they are at, by their task_id. */
  states: ReadonlyMap<number, TaskState>
  onEdit: (config: CompilerConfig) => void
  onDelete: (config: CompilerConfig) => void
}

/** The configurations, what each is at, and what can be done with it. */
export const ConfigTable = ({ configs, states, onEdit, onDelete }: Props) => (
  <CardTable
    label="Configurations"
    rows={configs}
    keyOf={({ id }) => id}
    columns={[
      {
        label: 'Name',
        cell: ({ id, name, description }) => (
          <>
            <Link className={classes.name} to={`/compiler/${id}`}>
              {name}
            </Link>
            {description && <div className={classes.description}>{description}</div>}
          </>
        ),
      },
      {
        label: 'Sources',
        place: 'end',
        cell: ({ source_task_ids }) => formatNumber(source_task_ids.length),
      },
      { label: 'Master', cell: (config) => masterName(config) ?? 'None' },
      {
        label: 'Status',
        cell: ({ is_active }) => (
          <Badge tone={is_active ? 'success' : 'neutral'} label={is_active ? 'Active' : 'Inactive'} />
        ),
      },
      {
        label: 'Last compile',
        place: 'wide',
        cell: (config) => <CompileLine config={config} state={states.get(config.task_id)} />,
      },
      {
        label: 'Actions',
        place: 'wide',
        cell: (config) => (
          <span className={classes.actions}>
            <CompileButton config={config} state={states.get(config.task_id)} size="xs" />
            <ActionIcon
              component={Link}
              to={recordsPath(config.id)}
              aria-label={`View Data of ${config.name}`}
              title="View Data"
            >
              <IconTable size={17} />
            </ActionIcon>
            <ActionIcon aria-label={`Edit ${config.name}`} title="Edit" onClick={() => onEdit(config)}>
              <IconPencil size={17} />
            </ActionIcon>
            <ActionIcon aria-label={`Delete ${config.name}`} title="Delete" onClick={() => onDelete(config)}>
              <IconTrash size={17} />
            </ActionIcon>
          </span>
        ),
      },
    ]}
  />
)

/** The name of a configuration's master; undefined while it has none. */
const masterName = ({ source_task_ids, source_names, master_source_id }: CompilerConfig) =>
  source_names[source_task_ids.indexOf(master_source_id ?? 0)]
