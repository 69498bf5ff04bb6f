/** Letters of a column, counted from 0: A, B, … Z, AA. */
function letters(index: number): string {
  const rest = Math.floor(index / 26)
  return (rest > 0 ? letters(rest - 1) : '') + String.fromCharCode(65 + (index % 26))
}

/** Names by which copied columns are told apart: a blank header is "Column D", a repeated one "Name (2)". Names that are unique already stay as they are. */
export function columnNames(headers: readonly string[]): string[] {
  // No object can carry a field of this name past a parser that guards against it.
  const taken = new Set(['__proto__'])
  // Headers keep their own name before numbered ones take it: in A, A, "A (2)" the last one stays.
  const own = new Set(headers)
  return headers.map((header, index) => {
    const base = header.trim() === '' ? `Column ${letters(index)}` : header
    let name = base
    for (let n = 2; taken.has(name) || (name !== header && own.has(name)); n += 1) name = `${base} (${n})`
    taken.add(name)
    return name
  })
}
