import { useSyncExternalStore } from 'react'

function subscribe(onChange: () => void) {
  addEventListener('hashchange', onChange)
  return () => removeEventListener('hashchange', onChange)
}

/** The fragment of the address, `#` included, and a way to set it. */
export function useHash(): [string, (hash: string) => void] {
  const hash = useSyncExternalStore(subscribe, () => location.hash)
  return [hash, (next) => location.replace(next)]
}
