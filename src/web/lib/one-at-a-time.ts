/** Does the work when it is called, never twice at once: calls while it is under way make for one more time afterwards. */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let wanted = false
  let busy = false
  return async () => {
    wanted = true
    if (busy) return
    busy = true
    try {
      while (wanted) {
        wanted = false
        await work()
      }
    } finally {
      busy = false
    }
  }
}
