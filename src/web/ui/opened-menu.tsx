import { Menu } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './menu-button.module.css'

type Props = { label: string; onClose: () => void; children: ReactNode }

/** An open menu, positioned below the surrounding button; another click on that button closes it. */
export function OpenedMenu({ label, onClose, children }: Props) {
  return (
    <Menu
      opened
      onClose={onClose}
      returnFocus={false}
      withInitialFocusPlaceholder={false}
      transitionProps={{ duration: 0 }}
    >
      <Menu.Target>
        <button type="button" tabIndex={-1} className={classes.cover} aria-label={label} />
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  )
}
