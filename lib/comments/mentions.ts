/** An email after `@` that no other letter precedes; bounded, so that each place is tried for a short time. */
const MENTION = /(?<![\p{L}\p{N}._%+@-])@([^\s@<>()[\]{},;:"']{1,64}@[^\s@<>()[\]{},;:"']{1,190})/gu
const MAX_NAMED = 50

/** The emails that a text mentions, in lower case and in its order, each once. */
export function mentionsIn(text: string): string[] {
  const named = [...text.matchAll(MENTION)].map(([, email = '']) =>
    email.replace(/[.!?…]+$/, '').toLowerCase(),
  )
  return [...new Set(named)].slice(0, MAX_NAMED)
}
