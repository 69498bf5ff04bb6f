// Each keeps its first group and hides the rest. All logged text passes through them, so each must run in linear
// time.
const SECRETS = [
  /(Bearer\s{1,9})[\w~+/.=-]{8,}/gi,
  // Google's access and refresh tokens.
  /()ya29\.[\w-]{8,}/g,
  /()\b1\/\/[\w-]{20,}/g,
  /(-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----)[\w+/=\s\\]+/g,
  // Identity tokens and other JSON web tokens.
  /()\beyJ[\w.-]{20,}/g,
  /(\b(?:access_token|refresh_token|id_token|client_secret|code_verifier)=)[^&"\s\\]+/gi,
  /([?&](?:code|state)=)[^&"\s\\]+/gi,
  // Also in JSON within JSON, where quotes are escaped.
  /((?:access_token|refresh_token|id_token|client_secret|password)\\*"\s*:\s*\\*")[^"\\]+/gi,
  /(\b(?:postgres(?:ql)?|mysql|mariadb|smtps?|https?):\/\/[^:/@\s"]*:)[^@/\s"]+(?=@)/gi,
]

/** Replaces what looks like a credential: tokens, and passwords in URLs. */
export function withoutSecrets(text: string): string {
  return SECRETS.reduce((rest, pattern) => rest.replace(pattern, '$1[secret]'), text)
}
