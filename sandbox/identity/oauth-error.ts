/** An OAuth error in Google's format. */
export class OAuthError extends Error {
  readonly code: number
  readonly error: string
  constructor(code: number, error: string, description: string) {
    super(description)
    this.code = code
    this.error = error
  }
}
