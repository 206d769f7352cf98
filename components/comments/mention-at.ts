/** The mention that is being typed: where its `@` is, and what follows it. */
export type TypedMention = { start: number; term: string }

const TYPED = /(?:^|[^\p{L}\p{N}._%+@-])@([^\s@]{0,64}(?:@[^\s@]{0,190})?)$/u

/** The mention that ends at the caret; null where none does. */
export function mentionAt(text: string, caret: number): TypedMention | null {
  const term = TYPED.exec(text.slice(0, caret))?.[1]
  return term === undefined ? null : { start: caret - term.length - 1, term }
}

/** The text with the mention of `email` in place of what was typed, and where the caret is then. */
export function withMention(
  text: string,
  { start, term }: TypedMention,
  email: string,
): { text: string; caret: number } {
  const after = text.slice(start + 1 + term.length)
  const mention = `@${email}${after.startsWith(' ') ? '' : ' '}`
  const caret = start + email.length + 2
  return { text: text.slice(0, start) + mention + after, caret }
}
