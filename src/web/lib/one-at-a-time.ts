/** Serialises an async function: calls during a run are coalesced into one more run afterwards. */
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
