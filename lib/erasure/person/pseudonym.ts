import { randomUUID } from 'node:crypto'
import { type SQL, sql } from 'drizzle-orm'
import type { Person } from './find-person'

/** What stands for an erased person: nothing leads from it to them. */
export type Pseudonym = {
  name: string
  /** In place of the account's id. */
  id: string
}

export function newPseudonym(): Pseudonym {
  const id = randomUUID()
  return { id, name: `erased-${id.slice(0, 8)}` }
}

/** How texts name a person, as regular expressions of PostgreSQL; null where nothing does. */
const either = (patterns: readonly string[]): string | null =>
  patterns.length > 0 ? `(?:${patterns.join('|')})` : null

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

const HTML_NAMES: Record<string, string> = { "'": '|&apos;', '&': '|&amp;' }

/** As it is, or as addresses of pages and HTML have it. */
const typed = (email: string) => [...email].map(typedLetter).join('')

const typedLetter = (letter: string): string => {
  if (/[\p{L}\p{N}.-]/u.test(letter) && encodeURIComponent(letter) === letter)
    return escaped(letter)
  const bytes = [...Buffer.from(letter)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`)
  const point = letter.codePointAt(0) ?? 0
  const numbered = `&#0*${point};|&#x0*${point.toString(16)};${HTML_NAMES[letter] ?? ''}`
  return `(?:${escaped(letter)}|${bytes.join('')}|${numbered})`
}

/**
 * An email begins here: no part of a longer one, but after a letter that stands for a sign in JSON or an address. An apostrophe
 * after a letter is a part of it, also as %27 or &#39;, and so is a plus, which addresses have as %2B.
 */
const BEGINS =
  "(?:(?<![[:alnum:]._%+-])(?<![[:alnum:]._%+-](?:'|&#39;|&apos;|&#x27;))|(?<=\\\\[nrtbf])|(?<=%(?:[013-9a-fA-F][0-9a-fA-F]|2[0-9acdefACDEF]))(?<![[:alnum:]._+-]%27))"
const ENDS = '(?![[:alnum:]-]|\\.[[:alnum:]])'

/** The emails of a person anywhere in a text; null where none is known. */
function emailPattern({ emails }: Pick<Person, 'emails'>): string | null {
  const any = either(emails.map(typed))
  return any && `${BEGINS}${any}${ENDS}`
}

/** The same of a text that was no JSON. */
export function emailExpression({ emails }: Pick<Person, 'emails'>): RegExp {
  const any = either(emails.map(typed)) ?? '(?!)'
  return new RegExp(
    `(?<![\\p{L}\\p{N}._%+-](?:'|&#39;)?)${any}(?![\\p{L}\\p{N}-]|\\.[\\p{L}\\p{N}])`,
    'giu',
  )
}

/** Without what the person is known by. */
export function rewritten(text: SQL, person: Person, as: Pseudonym): SQL {
  const named = person.emails.reduce((before, email, at) => {
    const pattern = emailPattern({ emails: [email] })
    return sql`regexp_replace(${before}, ${pattern}::text, ${nameOf(as, at)}::text, 'gi')`
  }, text)
  return sql`replace(${named}, ${person.id}::text, ${as.id}::text)`
}

/** Each email has a name of its own, so that what was told apart by them stays so. */
const nameOf = ({ name }: Pseudonym, at: number) => (at === 0 ? name : `${name}-${at + 1}`)

/** Whether a text has an email of the person; null where none is known. What is around one is looked at where one is, which takes ten times as long. */
export function hasEmail(text: SQL, person: Pick<Person, 'emails'>): SQL | null {
  const pattern = emailPattern(person)
  const any = either(person.emails.map(typed))
  return pattern ? sql`(${text} ~* ${any}::text and ${text} ~* ${pattern}::text)` : null
}

/** Whether a text has an email or the id of the person. */
export function names(text: SQL, person: Person): SQL {
  const named = hasEmail(text, person)
  const hasId = sql`position(${person.id}::text in ${text}) > 0`
  return named ? sql`(${named} or ${hasId})` : hasId
}

/** JSON's whole texts `labels` replaced, but for names of members. */
export function withoutLabels(text: SQL, labels: readonly string[], as: Pseudonym): SQL {
  const pattern = either(labels.map((label) => escaped(JSON.stringify(label))))
  return pattern
    ? sql`regexp_replace(${text}, ${`${pattern}(?!:)`}::text, ${`"${as.name}"`}::text, 'g')`
    : text
}

/** JSON of records, as the database or the server wrote it, with the pseudonym as who signed them. */
export function signedBy(text: SQL, signatures: readonly string[], as: Pseudonym): SQL {
  const any = either(signatures.map((name) => escaped(JSON.stringify(name)))) ?? '(?!)'
  return sql`regexp_replace(${text}, ${`"(CreatedBy|LastUpdatedBy)": ?${any}`}::text, ${`"\\1": "${as.name}"`}::text, 'g')`
}
