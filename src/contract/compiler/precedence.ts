/**
 * Positions of a configuration's sources (the master first) in their order of precedence for a field: those that its priority names,
 * then the others in their own order.
 */
export function precedence(task_ids: readonly number[], priority: readonly number[] = []): number[] {
  const named = priority.map((id) => task_ids.indexOf(id)).filter((position) => position >= 0)
  const others = task_ids.flatMap((_, position) => (named.includes(position) ? [] : [position]))
  return [...named, ...others]
}
