/** Whether two lists hold other times; their order says nothing. */
export const differ = (a: readonly string[], b: readonly string[]) =>
  a.length !== b.length || a.some((time) => !b.includes(time))
