import { ActionIcon, type ActionIconProps } from '@mantine/core'
import { lazy, type ReactNode, Suspense, useRef, useState } from 'react'
import classes from './menu-button.module.css'

const OpenedMenu = lazy(async () => ({ default: (await import('./opened-menu.tsx')).OpenedMenu }))

type Props = ActionIconProps & {
  label: string
  /** Menu items, rendered only while the menu is open. */
  items: ReactNode
  children: ReactNode
}

/** A button that opens a menu. The menu is mounted only while open, since a list has hundreds of these buttons. */
export function MenuButton({ label, items, children, ...rest }: Props) {
  const [opened, setOpened] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const close = () => {
    setOpened(false)
    button.current?.focus()
  }
  return (
    <span className={classes.anchor}>
      <ActionIcon
        {...rest}
        ref={button}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={opened}
        onClick={() => setOpened(true)}
      >
        {children}
      </ActionIcon>
      {opened && (
        <Suspense>
          <OpenedMenu label={label} onClose={close}>
            {items}
          </OpenedMenu>
        </Suspense>
      )}
    </span>
  )
}
