/** A user as notes may mention them. */
export type Mentionable = { id: number; name: string; email: string }

/**
 * Ids of the users that notes mention as `@name` or `@email`, without regard to case. The longest name that fits counts:
 * “@Ada Byron” does not mention a user “Ada”. Users of the same name are all mentioned. An `@` within a word, as in a mail address,
 * mentions nobody.
 */
export function mentionedUsers(notes: string, users: readonly Mentionable[]): number[] {
  const text = notes.toLowerCase()
  const ids = new Set<number>()
  for (const { index } of text.matchAll(/(?<![\p{L}\p{N}_.+-])@/gu)) {
    let longest = ''
    let found: number[] = []
    for (const user of users) {
      for (const label of [user.name, user.email].map((given) => given.trim().toLowerCase())) {
        if (label === '' || label.length < longest.length || !isAt(text, index + 1, label)) continue
        found = label === longest ? [...found, user.id] : [user.id]
        longest = label
      }
    }
    for (const id of found) ids.add(id)
  }
  return [...ids]
}

// The label ends where the text does, or before a character that cannot continue a name or an address.
const isAt = (text: string, start: number, label: string): boolean =>
  text.startsWith(label, start) &&
  !/^(?:[\p{L}\p{N}_]|[.@+-][\p{L}\p{N}])/u.test(text.slice(start + label.length, start + label.length + 3))
