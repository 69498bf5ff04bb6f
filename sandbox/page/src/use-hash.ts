import { useSyncExternalStore } from 'react'

function subscribe(onChange: () => void) {
  addEventListener('hashchange', onChange)
  return () => removeEventListener('hashchange', onChange)
}

/** URL fragment including `#`, and its setter. */
export function useHash(): [string, (hash: string) => void] {
  const hash = useSyncExternalStore(subscribe, () => location.hash)
  return [hash, (next) => location.replace(next)]
}
