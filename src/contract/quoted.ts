const MOST_CHARACTERS = 100

/** Text from outside as a message quotes it: whole, or its first characters. */
export function quoted(text: string, most = MOST_CHARACTERS): string {
  if (text.length <= most) return text
  // Half of a pair at the cut would be no text.
  return `${text.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…`
}
