import { AppError } from '@/lib/errors'

/** The archive is inconsistent: only a new archive helps. */
export const damaged = (what: string, cause?: unknown) =>
  new AppError(
    'invalid_input',
    `The archive is damaged: ${what}; pack or download it again, then retry`,
    { cause },
  )

/** An entry is valid but not accepted; `why` ends with what to do about it. */
export const refused = (name: string, why: string, cause?: unknown) =>
  new AppError('invalid_input', `The archive's entry ${quote(name)} ${why}`, { cause })

/** A name for a sentence: in double quotes, at most 100 characters, without invisible characters. */
export function quote(name: string): string {
  const characters = [...name]
  const short = characters.length > 100 ? `${characters.slice(0, 100).join('')}…` : name
  const visible = short.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, escapeCharacter)
  return `"${visible.replaceAll('"', '\\"')}"`
}

const escapeCharacter = (character: string) =>
  `\\u{${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}}`
