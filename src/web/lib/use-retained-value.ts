import { useEffect, useState } from 'react'

/** The value; after it becomes null, the last value for another `ms` milliseconds. */
export function useRetainedValue<T>(value: T | null, ms: number): T | null {
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
