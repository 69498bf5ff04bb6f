import { useEffect } from 'react'
import { limits } from '../../contract/limits.ts'

const signs = ['pointerdown', 'keydown', 'wheel'] as const

/** Calls `report` when the user does something on the page, at most once per `limits.visit_report_ms`. */
export function useActivity(isOn: boolean, report: () => void): void {
  useEffect(() => {
    if (!isOn) return
    let last = Number.NEGATIVE_INFINITY
    const act = () => {
      const now = performance.now()
      if (now - last < limits.visit_report_ms) return
      last = now
      report()
    }
    for (const sign of signs) addEventListener(sign, act, { passive: true })
    return () => {
      for (const sign of signs) removeEventListener(sign, act)
    }
  }, [isOn, report])
}
