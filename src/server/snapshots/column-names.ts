/** Letters of a column, counted from 0: A, B, … Z, AA. */
function letters(index: number): string {
  const rest = Math.floor(index / 26)
  return (rest > 0 ? letters(rest - 1) : '') + String.fromCharCode(65 + (index % 26))
}

/** A name of a column as it is compared: in one form of Unicode (NFC), without blanks around it. */
export const plainName = (name: string): string => name.normalize('NFC').trim()

/**
 * Names by which copied columns are told apart, each as it is compared unless another column has just that name: a blank header is
 * "Column D", a repeated one "Name (2)". Names that are unique already stay as they are.
 */
export function columnNames(headers: readonly string[]): string[] {
  // No object can carry a field of this name past a parser that guards against it.
  const taken = new Set(['__proto__'])
  // Headers keep their own name before numbered ones take it: in A, A, "A (2)" the last one stays.
  const own = new Set(headers)
  return headers.map((header, index) => {
    const plain = plainName(header)
    const base = plain === '' ? `Column ${letters(index)}` : own.has(plain) ? header : plain
    let name = base
    for (let n = 2; taken.has(name) || (name !== header && own.has(name)); n += 1) name = `${base} (${n})`
    taken.add(name)
    return name
  })
}

/** The column that a setting means by a name: the one of just this name, else the one that compares as equal; as it is where there is none. */
export function meantName(names: ReadonlySet<string>, name: string): string {
  return names.has(name) ? name : plainName(name)
}
