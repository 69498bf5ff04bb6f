import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { PendingUrlParams } from './pending-url-params.ts'

/**
 * What the address holds behind its question mark, and how to change it: a change that comes before the one before it has
 * arrived builds on that, so that a search which is still being written is not lost to a choice made right after it.
 */
export function useAddress(): [
  URLSearchParams,
  (change: (before: URLSearchParams) => URLSearchParams) => void,
] {
  const [params, setParams] = useSearchParams()
  const [coming] = useState(() => new PendingUrlParams(params))
  useEffect(() => coming.arrive(params), [coming, params])
  return [params, (change) => setParams(coming.change(change), { replace: true })]
}
