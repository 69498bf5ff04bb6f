/** The first letters of the first two words of a name, in upper case. */
export const initialsOf = (name: string): string =>
  name
    .split(/\s+/)
    .map((word) => [...word].slice(0, 1).join('').toUpperCase())
    .slice(0, 2)
    .join('')
