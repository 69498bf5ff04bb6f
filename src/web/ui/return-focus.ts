const controls = 'a[href], button, input'
const rows = 'article, tr'

/**
 * Saves the focused element and returns a function that restores the focus. If the element was in a row that is gone, the same
 * control of the next row gets the focus, else of the previous row, else the page.
 */
export function rememberFocus(): () => void {
  const opener = document.activeElement
  const row = opener?.closest(rows)
  const inRow = (one: Element) => [...one.querySelectorAll<HTMLElement>(controls)]
  const place = row && opener instanceof HTMLElement ? inRow(row).indexOf(opener) : -1
  const others = row ? [...document.querySelectorAll(row.tagName)] : []
  const at = row ? others.indexOf(row) : -1
  const next = [...others.slice(at + 1), ...others.slice(0, Math.max(at, 0)).reverse()]
  return () => {
    if (opener instanceof HTMLElement) opener.focus()
    // It may have been removed or disabled.
    if (document.activeElement === opener) return
    const left = next.find((one) => one.isConnected && inRow(one).length > place)
    const heir = left && place >= 0 ? inRow(left)[place] : document.getElementById('main')
    heir?.focus()
  }
}
