import { Modal } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type ReactNode, useEffect, useState } from 'react'
import classes from './dialog.module.css'
import { rememberFocus } from './return-focus.ts'

// Escape is for the uppermost dialog only
const openDialogs: symbol[] = []

type Props = {
  title: string
  onClose: () => void
  size?: string
  /** It holds input, which a click beside it must not throw away. */
  form?: boolean
  /** It shows as much as fits. */
  large?: boolean
  /** It is long: it begins at the top, so that nothing moves where its content becomes shorter. */
  tall?: boolean
  children: ReactNode
}

/** A dialog, open as long as it is there; on a phone a form, a large or a long one fills the screen. Focus returns to where it was before. */
export function Dialog({
  title,
  onClose,
  size = 'md',
  form = false,
  large = false,
  tall = false,
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
      title={title}
      size={large ? 'min(1480px, 96vw)' : size}
      fullScreen={filling}
      returnFocus={false}
      closeOnClickOutside={!form}
      radius={filling ? 0 : 12}
      centered={!filling && !tall}
      transitionProps={{ transition: filling ? 'slide-up' : 'pop', duration: 120 }}
      closeButtonProps={{ 'aria-label': 'Close dialog' }}
      // the kit's <header> would pass for the page's
      attributes={{ header: { role: 'presentation' } }}
      classNames={classes}
    >
      {children}
    </Modal>
  )
}

/** The buttons of a dialog; they stay in sight while its content scrolls. */
export const DialogFooter = ({ children }: { children: ReactNode }) => (
  <div className={classes.footer}>{children}</div>
)
