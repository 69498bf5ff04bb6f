import { ActionIcon } from '@mantine/core'
import { IconPencil, IconTable, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Link } from 'react-router'
import { compilerMessages } from '../../../../contract/compiler/client-messages.ts'
import type { CompilerConfig } from '../../../../contract/compiler/configs.ts'
import { favouriteMessages as messages } from '../../../../contract/favourites/client-messages.ts'
import type { TaskState } from '../../../../contract/tasks/schemas.ts'
import { formatNumber } from '../../../lib/format.ts'
import { useSession } from '../../../lib/session.ts'
import { favouritesQuery } from '../../../tasks/favourites/favourites.ts'
import { StarButton } from '../../../tasks/favourites/star-button.tsx'
import { OwnershipFilterFields } from '../../../tasks/ownership/ownership-filter-fields.tsx'
import { RowOwnership } from '../../../tasks/ownership/row-ownership.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { CardTable } from '../../../ui/card-table.tsx'
import { FilterBar, FilterToggle } from '../../../ui/filter-bar.tsx'
import { SearchField } from '../../../ui/search-field.tsx'
import { NothingMatches } from '../../../ui/states.tsx'
import { CompileButton } from '../components/compile-button.tsx'
import { CompileLine } from '../components/compile-line.tsx'
import { recordsPath } from '../records/record-filters.ts'
import { type ConfigFilters, filterConfigs, readConfigFilters } from './config-filters.ts'
import { ConfigKeys } from './config-keys.tsx'
import classes from './config-table.module.css'

type TableProps = {
  configs: readonly CompilerConfig[]
  /** By task_id. */
  states: ReadonlyMap<number, TaskState>
  onEdit: (config: CompilerConfig) => void
  onDelete: (config: CompilerConfig) => void
}

type Props = TableProps & { filters: ConfigFilters; onChange: (change: Partial<ConfigFilters>) => void }

/** The configurations that pass the filters, with their status and actions. */
export function ConfigTable({ configs, filters, onChange, ...rest }: Props) {
  const favourites = useQuery(favouritesQuery).data
  const own_id = useSession()?.user?.id ?? null
  const [typed, setTyped] = useState<string | null>(null)
  const within = filters.favourites ? configs.filter(({ task_id }) => favourites?.has(task_id)) : configs
  const shown = filterConfigs(within, { ...filters, search: typed ?? filters.search }, own_id)
  const count = filters.tags.length + [filters.owner !== null, filters.favourites].filter(Boolean).length
  const clear = () => {
    setTyped(null)
    onChange(readConfigFilters(new URLSearchParams()))
  }
  return (
    <>
      <FilterBar
        search={
          <SearchField
            label={compilerMessages.search_configs}
            placeholder={compilerMessages.search_configs_hint}
            search={filters.search}
            typed={typed}
            onType={setTyped}
            onChange={(search) => onChange({ search })}
          />
        }
        count={count}
        onClear={count > 0 || filters.search !== '' ? clear : null}
      >
        <OwnershipFilterFields tasks={configs} filters={filters} onChange={onChange} />
        <FilterToggle
          label={messages.favourites}
          pressed={filters.favourites}
          onPress={() => onChange({ favourites: !filters.favourites })}
        />
      </FilterBar>
      {shown.length > 0 ? (
        <Table configs={shown} {...rest} />
      ) : filters.favourites && within.length === 0 ? (
        <NothingMatches title={messages.none} hint={messages.none_hint} onClear={clear} />
      ) : (
        <NothingMatches title={compilerMessages.no_config_matches} onClear={clear} />
      )}
    </>
  )
}

function Table(props: TableProps) {
  const list = useRef<HTMLDivElement>(null)
  return (
    <div ref={list}>
      <ConfigKeys list={list} configs={props.configs} onEdit={props.onEdit} />
      <Rows {...props} />
    </div>
  )
}

const Rows = ({ configs, states, onEdit, onDelete }: TableProps) => (
  <CardTable
    label="Configurations"
    rows={configs}
    keyOf={({ id }) => id}
    columns={[
      {
        label: 'Name',
        cell: ({ id, name, description, task_id, ...config }) => (
          <>
            <StarButton className={classes.star} task_id={task_id} name={name} />
            <Link className={classes.name} to={`/compiler/${id}`} data-first>
              {name}
            </Link>
            <RowOwnership task={config} />
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

/** Name of a configuration's master source; undefined if none is selected. */
const masterName = ({ source_task_ids, source_names, master_source_id }: CompilerConfig) =>
  source_names[source_task_ids.indexOf(master_source_id ?? 0)]
