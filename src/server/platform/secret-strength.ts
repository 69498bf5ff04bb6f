// 32 random hexadecimal digits have some 14 distinct ones, and fewer than ten in one of ten thousand cases.
const MIN_DIFFERENT = 10

/** Whether a secret is weak: few distinct characters, a repeated pattern, or the alphabet. */
export function isGuessable(secret: string): boolean {
  return new Set(secret).size < MIN_DIFFERENT || repeats(secret) || runs(secret)
}

function repeats(text: string): boolean {
  const longest = Math.floor(text.length / 2)
  return Array.from({ length: longest }, (_, n) => n + 1).some((period) =>
    text.startsWith(text.slice(period)),
  )
}

/** Half of the characters are neighbours of the previous one, as in abcd and 4321. */
function runs(text: string): boolean {
  const codes = [...text].map((character) => character.charCodeAt(0))
  const following = codes.filter((code, at) => Math.abs(code - (codes[at - 1] ?? Number.NaN)) === 1)
  return following.length > codes.length / 2
}
