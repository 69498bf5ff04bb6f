import { Modal } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type ReactNode, useEffect, useState } from 'react'
import classes from './dialog.module.css'
import { rememberFocus } from './return-focus.ts'

// Escape closes only the topmost dialog.
const openDialogs: symbol[] = []

type Props = {
  title: string
  onClose: () => void
  size?: string
  /** Contains input, so a click outside does not close it. */
  form?: boolean
  /** As large as the window allows. */
  large?: boolean
  /** Aligned to the top, so that it does not move when its content shrinks. */
  tall?: boolean
  /** Without header: the content has the title and a button to close. */
  bare?: boolean
  children: ReactNode
}

/** A modal dialog, open while mounted. On phones, `form`, `large` and `tall` fill the screen. Restores the focus on close. */
export function Dialog({
  title,
  onClose,
  size = 'md',
  form = false,
  large = false,
  tall = false,
  bare = false,
  children,
}: Props) {
  const phone = useMediaQuery('(max-width: 40em)', false, { getInitialValueInEffect: false })
  const filling = phone && (form || large || tall)
  const [self] = useState(() => Symbol(title))
  useEffect(() => {
    openDialogs.push(self)
    return () => {
      openDialogs.splice(openDialogs.indexOf(self), 1)
    }
  }, [self])
  const [giveBack] = useState(rememberFocus)
  useEffect(() => giveBack, [giveBack])
  return (
    <Modal
      opened
      onClose={() => openDialogs.at(-1) === self && onClose()}
      title={bare ? undefined : title}
      withCloseButton={!bare}
      size={large ? 'min(1480px, 96vw)' : size}
      fullScreen={filling}
      returnFocus={false}
      closeOnClickOutside={!form}
      radius={filling ? 0 : 12}
      centered={!filling && !tall}
      transitionProps={{ transition: filling ? 'slide-up' : 'pop', duration: 120 }}
      closeButtonProps={{ 'aria-label': 'Close dialog' }}
      // Otherwise Mantine's <header> would be a second banner landmark.
      attributes={{ header: { role: 'presentation' }, ...(bare && { content: { 'aria-label': title } }) }}
      classNames={bare ? { ...classes, body: classes.bare } : classes}
    >
      {children}
    </Modal>
  )
}

/** Buttons of a dialog; sticky while its content scrolls. */
export const DialogFooter = ({ children }: { children: ReactNode }) => (
  <div className={classes.footer}>{children}</div>
)
