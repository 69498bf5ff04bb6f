import { useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router'

/**
 * What the address holds behind its question mark, and how to change it: a change that comes before the one before it has
 * arrived builds on that, so that a search which is still being written is not lost to a choice made right after it.
 */
export function useAddress(): [
  URLSearchParams,
  (change: (before: URLSearchParams) => URLSearchParams) => void,
] {
  const [params, setParams] = useSearchParams()
  const latest = useRef(params)
  useEffect(() => {
    latest.current = params
  }, [params])
  const change = (next: (before: URLSearchParams) => URLSearchParams) => {
    latest.current = next(latest.current)
    setParams(latest.current, { replace: true })
  }
  return [params, change]
}
