import { Button, Popover } from '@mantine/core'
import { IconRoute } from '@tabler/icons-react'
import { useState } from 'react'
import { lineageMessages as messages } from '../../../contract/lineage/client-messages.ts'
import { CellLinkForm } from './cell-link-form.tsx'

/** Opens a field for the link of a cell. */
export function FindCellButton() {
  const [opened, setOpened] = useState(false)
  return (
    <Popover opened={opened} onChange={setOpened} width={440} position="bottom-start" trapFocus withArrow>
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<IconRoute size={17} aria-hidden />}
          aria-description={messages.find_hint}
          onClick={() => setOpened(!opened)}
        >
          {messages.find}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={messages.find} maw="calc(100vw - 24px)">
        <CellLinkForm onFind={() => setOpened(false)} />
      </Popover.Dropdown>
    </Popover>
  )
}
