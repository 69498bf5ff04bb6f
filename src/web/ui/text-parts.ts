export type TextPart = { kind: 'text' | 'link'; text: string }

/** Splits a text at the places that contain `search`, ignoring case: odd parts match. A blank search matches nowhere. */
export function matchParts(text: string, search: string): string[] {
  const lower = text.toLowerCase()
  // Lower case of some letters is longer, and the places would differ.
  if (search === '' || lower.length !== text.length) return [text]
  const parts: string[] = []
  let at = 0
  for (let found = lower.indexOf(search); found >= 0; found = lower.indexOf(search, at)) {
    parts.push(text.slice(at, found), text.slice(found, found + search.length))
    at = found + search.length
  }
  return [...parts, text.slice(at)]
}

/**
 * Splits a message at URLs that start with `origin`. Other URLs remain text: a log can quote external input, which must not
 * become a link.
 */
export const textParts = (text: string, origin: string): TextPart[] =>
  text
    .split(/(https?:\/\/\S*[^\s.,;:!?])/)
    .filter((part) => part !== '')
    .map((part) => ({ kind: part.startsWith(`${origin}/`) ? 'link' : 'text', text: part }))
