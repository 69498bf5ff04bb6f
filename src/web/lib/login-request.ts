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

/** Listens for `show-login` from now on, since the first page may raise it before there is a dialog; and for leaving the page. */
export function listenForLoginRequests(): void {
  window.addEventListener(EVENT_NAME, () => set(true))
  // the sign-in check of a page that is left is cut off, which tells nothing about who is signed in on the next one
  window.addEventListener('pagehide', () => {
    left = true
  })
  window.addEventListener('pageshow', () => {
    left = false
  })
}

/** Remembers where the person wanted to be (this page unless `path` says otherwise) and raises `show-login`. */
export function requestLogin(path = location.pathname + location.search): void {
  if (left) return
  if (path !== '/') sessionStorage.setItem(key, path)
  window.dispatchEvent(new Event(EVENT_NAME))
}

/** Whether the login dialog is asked for, as a store. */
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

/** The path remembered for after the sign-in, if any. */
export const savedPath = () => sessionStorage.getItem(key)

/** Forgets the remembered path. */
export const clearSavedPath = () => sessionStorage.removeItem(key)

/** Forgets what was asked for because a session has ended: a person has ended it. */
export function endLoginRequests(): void {
  sign_outs += 1
  clearSavedPath()
  set(false)
}

/** Returns how to ask for a sign-in when a request that is sent now is answered with 401; not once the person has signed out. */
export function loginIfRefused(): () => void {
  const before = sign_outs
  return () => {
    if (sign_outs === before) requestLogin()
  }
}
