const MAX_CHARACTERS = 100

/** Quotes external text in a message, truncated if it is long. */
export function quoted(text: string, most = MAX_CHARACTERS): string {
  if (text.length <= most) return text
  // do not split a surrogate pair
  return `${text.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…`
}
