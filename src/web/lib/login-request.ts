const key = 'rowferry.redirect_path'
const EVENT_NAME = 'show-login'

let wanted = false
let left = false
let sign_outs = 0
const listeners = new Set<() => void>()

const set = (value: boolean) => {
  wanted = value
  for (const listener of listeners) listener()
}

/** Listens for leaving the page and for `show-login`, which the first page can raise before the dialog is mounted. */
export function listenForLoginRequests(): void {
  window.addEventListener(EVENT_NAME, () => set(true))
  // A session check that is aborted by leaving the page says nothing about the session.
  window.addEventListener('pagehide', () => {
    left = true
  })
  window.addEventListener('pageshow', () => {
    left = false
  })
}

/** Saves the path to return to (the current one by default) and raises `show-login`. */
export function requestLogin(path = location.pathname + location.search): void {
  if (left) return
  if (path !== '/') sessionStorage.setItem(key, path)
  window.dispatchEvent(new Event(EVENT_NAME))
}

/** External store: whether the sign-in dialog is requested. */
export const loginRequest = {
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  },
  wanted: () => wanted,
  dismiss: () => set(false),
}

/** The saved path, if any. */
export const savedPath = () => sessionStorage.getItem(key)

/** Deletes the saved path. */
export const clearSavedPath = () => sessionStorage.removeItem(key)

/** Withdraws the request, because the user has signed out. */
export function endLoginRequests(): void {
  sign_outs += 1
  clearSavedPath()
  set(false)
}

/** Returns a function that requests a sign-in for a 401 of a request sent now; it does nothing if the user has signed out since. */
export function loginIfRefused(): () => void {
  const before = sign_outs
  return () => {
    if (sign_outs === before) requestLogin()
  }
}
