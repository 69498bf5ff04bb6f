/** What a part of an address or a cookie stands for; one that is not encoded as such stands for itself. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
