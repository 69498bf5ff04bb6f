/** Letters of a column by its index: A, B, … Z, AA. */
function letters(index: number): string {
  const rest = Math.floor(index / 26)
  return (rest > 0 ? letters(rest - 1) : '') + String.fromCharCode(65 + (index % 26))
}

/** A column name in the form in which it is compared: Unicode NFC, trimmed. */
export const plainName = (name: string): string => name.normalize('NFC').trim()

/**
 * Unique column names from headers. A name is trimmed and normalised unless another column has exactly that name. A blank header
 * becomes "Column D", a repeated one "Name (2)".
 */
export function columnNames(headers: readonly string[]): string[] {
  // Parsers that guard against prototype pollution drop this key.
  const taken = new Set(['__proto__'])
  // A header keeps its own name even if a numbered one would match it: in A, A, "A (2)" the last one stays.
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

/** The column name that a setting refers to: an exact match, else the form in which names are compared. */
export function resolveName(names: ReadonlySet<string>, name: string): string {
  return names.has(name) ? name : plainName(name)
}
