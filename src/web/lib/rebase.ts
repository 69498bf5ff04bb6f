/** What a form holds, over a newer version of its object: fields that the person changed keep the change, the others follow. */
export function rebase<Values extends object>(values: Values, start: Values, fresh: Values): Values {
  const before = new Map<string, unknown>(Object.entries(start))
  const changed = Object.entries(values).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(before.get(field)),
  )
  return { ...fresh, ...Object.fromEntries(changed) }
}
