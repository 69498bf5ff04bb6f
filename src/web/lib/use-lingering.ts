import { useEffect, useState } from 'react'

/** The value, or where there is none for a while the last one, for so long. Milliseconds. */
export function useLingering<T>(value: T | null, ms: number): T | null {
  const [last, setLast] = useState(value)
  useEffect(() => {
    if (value !== null) {
      setLast(value)
      return
    }
    const timer = setTimeout(() => setLast(null), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return value ?? last
}
