// Each keeps its first group and hides the rest. Whatever is logged passes through them, so each has to take time in
// proportion to the text: once begun it hides as far as it can, and asks for nothing behind that.
const SECRETS = [
  /(Bearer\s{1,9})[\w~+/.=-]{8,}/gi,
  // Google's access and refresh tokens.
  /()ya29\.[\w-]{8,}/g,
  /()\b1\/\/[\w-]{20,}/g,
  /(-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----)[\w+/=\s\\]+/g,
  // Identity tokens, and anything else in the form of a JSON web token.
  /()\beyJ[\w.-]{20,}/g,
  /(\b(?:access_token|refresh_token|id_token|client_secret|code_verifier)=)[^&"\s\\]+/gi,
  /([?&](?:code|state)=)[^&"\s\\]+/gi,
  // Also as JSON within JSON, where quotes are escaped.
  /((?:access_token|refresh_token|id_token|client_secret|password)\\*"\s*:\s*\\*")[^"\\]+/gi,
  /(\b(?:postgres(?:ql)?|mysql|mariadb|smtps?|https?):\/\/[^:/@\s"]*:)[^@/\s"]+(?=@)/gi,
]

/** The text without what looks like a credential: tokens, and passwords within addresses. */
export function withoutSecrets(text: string): string {
  return SECRETS.reduce((rest, pattern) => rest.replace(pattern, '$1[secret]'), text)
}
