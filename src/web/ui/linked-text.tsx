import { Fragment } from 'react'
import { matchParts, textParts } from './text-parts.ts'

/**
 * A message in which URLs of this site are links, such as the page where access is granted again, and in which the places that
 * contain `search` (lower case) are marked.
 */
export function LinkedText({ text, search = '' }: { text: string; search?: string }) {
  return textParts(text, location.origin).map(({ kind, text: part }, place) =>
    kind === 'link' ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a message never move
      <a key={place} href={part}>
        <Marked text={part} search={search} />
      </a>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a message never move
      <Marked key={place} text={part} search={search} />
    ),
  )
}

/** A text in which the places that contain `search` (lower case) are marked. */
export const Marked = ({ text, search }: { text: string; search: string }) =>
  matchParts(text, search).map((part, place) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a message never move
    place % 2 === 1 ? <mark key={place}>{part}</mark> : <Fragment key={place}>{part}</Fragment>,
  )
