const MOST_CHARACTERS = 100

/** Text from outside as a message quotes it: whole, or its first 100 characters. */
export function quoted(text: string): string {
  if (text.length <= MOST_CHARACTERS) return text
  // Half of a pair at the cut would be no text.
  return `${text.slice(0, MOST_CHARACTERS).replace(/[\ud800-\udbff]$/, '')}…`
}
