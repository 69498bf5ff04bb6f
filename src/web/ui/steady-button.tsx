import { type ComponentProps, type MouseEvent, useState } from 'react'

const refuse = (event: MouseEvent) => event.preventDefault()

/**
 * Base element of Mantine buttons. A browser removes the focus from a button that becomes disabled; this one ignores presses
 * while disabled but keeps the focus until it moves on.
 */
export function SteadyButton({
  type = 'button',
  disabled,
  'aria-disabled': ariaDisabled,
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
      aria-disabled={disabled || ariaDisabled}
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
