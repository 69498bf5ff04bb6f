import { Button, Checkbox, Group, TextInput } from '@mantine/core'
import { useState } from 'react'
import { taskMessages } from '../../../contract/tasks/client-messages.ts'

import { formatCount } from '../../lib/format.ts'
import { DialogFooter } from '../../ui/dialog.tsx'
import { CancelButton, FormDialog } from '../../ui/form-dialog.tsx'
import classes from './columns-dialog.module.css'

type Props = {
  available: string[]
  chosen: string[]
  onChoose: (columns: string[]) => void
  onClose: () => void
}

/** Selects the visible columns of the stored rows; at least one. */
export function ColumnsDialog({ available, chosen, onChoose, onClose }: Props) {
  const [selected, setSelected] = useState(() => new Set(chosen))
  const [search, setSearch] = useState('')
  const wanted = search.trim().toLowerCase()
  const dirty = selected.size !== chosen.length || chosen.some((column) => !selected.has(column))
  const toggle = (column: string) =>
    setSelected((before) => {
      const after = new Set(before)
      if (!after.delete(column)) after.add(column)
      return after
    })
  return (
    <FormDialog title={taskMessages.select_columns} onClose={onClose} dirty={dirty}>
      <div>
        <TextInput
          type="search"
          data-autofocus
          aria-label="Search columns"
          placeholder="Search columns"
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        <Group gap={8} my={10}>
          <Button size="compact-sm" variant="default" onClick={() => setSelected(new Set(available))}>
            All
          </Button>
          <Button size="compact-sm" variant="default" onClick={() => setSelected(new Set())}>
            None
          </Button>
          <span className={classes.count}>
            {selected.size} of {formatCount(available.length, 'column')}
          </span>
        </Group>
        <div className={classes.columns}>
          {available
            .filter((column) => column.toLowerCase().includes(wanted))
            .map((column) => (
              <Checkbox
                key={column}
                label={column}
                checked={selected.has(column)}
                onChange={() => toggle(column)}
              />
            ))}
        </div>
        <DialogFooter>
          <CancelButton />
          <Button
            disabled={selected.size === 0}
            onClick={() => onChoose(available.filter((column) => selected.has(column)))}
          >
            Show
          </Button>
        </DialogFooter>
      </div>
    </FormDialog>
  )
}
