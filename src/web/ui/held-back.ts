import { toast } from './toast.ts'

/**
 * Properties of a button that cannot be pressed at present: it says why, to whoever points at it or presses it, and keeps its place in
 * the order of the keyboard. Null: it can.
 */
export const heldBack = (why: string | null, onClick: () => void) =>
  why === null
    ? { onClick }
    : { 'data-disabled': true, 'aria-disabled': true, title: why, onClick: () => toast.info(why) }
