export type TextPart = { kind: 'text' | 'link'; text: string }

/**
 * A sentence taken apart at the addresses that start with `origin`. Others stay text: a log may quote what strangers
 * wrote, and no link of theirs is offered here.
 */
export const textParts = (text: string, origin: string): TextPart[] =>
  text
    .split(/(https?:\/\/\S*[^\s.,;:!?])/)
    .filter((part) => part !== '')
    .map((part) => ({ kind: part.startsWith(`${origin}/`) ? 'link' : 'text', text: part }))
