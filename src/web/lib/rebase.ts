/** Merges form values with a newer version of the object: changed fields keep the value of the user, all others are replaced. */
export function rebase<Values extends object>(values: Values, start: Values, fresh: Values): Values {
  const before = new Map<string, unknown>(Object.entries(start))
  const changed = Object.entries(values).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(before.get(field)),
  )
  return { ...fresh, ...Object.fromEntries(changed) }
}
