import { type ComponentProps, type MouseEvent, useState } from 'react'

const refuse = (event: MouseEvent) => event.preventDefault()

/**
 * The element of the kit's buttons. A browser takes the focus from a button that is disabled while somebody is on it; this one
 * takes no press either, but keeps the focus until they go on.
 */
export function SteadyButton({
  type = 'button',
  disabled,
  'aria-disabled': heldBack,
  onClick,
  onFocus,
  onBlur,
  ...rest
}: ComponentProps<'button'>) {
  const [focused, setFocused] = useState(false)
  return (
    <button
      {...rest}
      type={type}
      disabled={disabled && !focused}
      aria-disabled={disabled || heldBack}
      onClick={disabled ? refuse : onClick}
      onFocus={(event) => {
        setFocused(true)
        onFocus?.(event)
      }}
      onBlur={(event) => {
        setFocused(false)
        onBlur?.(event)
      }}
    />
  )
}
