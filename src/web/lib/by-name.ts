const collator = new Intl.Collator('en', { numeric: true })

/** Natural sort order: "Group 2" before "Group 10". */
export const byName = (one: string, other: string): number => collator.compare(one, other)
