import { Fragment } from 'react'
import { textParts } from './text-parts.ts'

/** A sentence in which addresses of this site can be followed, such as the one where access is given again. */
export function LinkedText({ text }: { text: string }) {
  return textParts(text, location.origin).map(({ kind, text: part }, place) =>
    kind === 'link' ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence never move
      <a key={place} href={part}>
        {part}
      </a>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence never move
      <Fragment key={place}>{part}</Fragment>
    ),
  )
}
