import { Menu } from '@mantine/core'
import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { listDisplayMessages as messages } from '../../../contract/list-display/client-messages.ts'
import { MenuButton } from '../../ui/menu-button.tsx'
import { useListDisplay } from './list-display.ts'

const groups = ['type', 'owner', 'tag'] as const

/** Menu that chooses what the groups of a list are, and how dense its rows. */
export function DisplayMenu() {
  const [{ group, is_dense }, change] = useListDisplay()
  return (
    <MenuButton
      label={messages.display}
      variant="default"
      size={36}
      items={
        <>
          <Menu.Label>{messages.group_by}</Menu.Label>
          {groups.map((one) => (
            <Menu.RadioItem
              key={one}
              value={one}
              checked={group === one}
              onChange={() => change({ group: one })}
            >
              {messages.groups[one]}
            </Menu.RadioItem>
          ))}
          <Menu.Divider />
          <Menu.Label>{messages.rows}</Menu.Label>
          {[false, true].map((one) => (
            <Menu.RadioItem
              key={String(one)}
              value={String(one)}
              checked={is_dense === one}
              onChange={() => change({ is_dense: one })}
            >
              {one ? messages.dense : messages.comfortable}
            </Menu.RadioItem>
          ))}
        </>
      }
    >
      <IconAdjustmentsHorizontal size={17} title={messages.display} />
    </MenuButton>
  )
}
