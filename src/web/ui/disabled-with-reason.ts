import { toast } from './toast.ts'

/**
 * Properties of a button that may be unavailable. While `reason` is set, the button remains focusable but does nothing when pressed
 * except showing the reason, which is also its tooltip.
 */
export const disabledWithReason = (reason: string | null, onClick: () => void) =>
  reason === null
    ? { onClick }
    : { 'data-disabled': true, 'aria-disabled': true, title: reason, onClick: () => toast.info(reason) }
