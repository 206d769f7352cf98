import { suggestion } from './nearest'

/** `Unknown field "nmae"; did you mean "name"?` */
export const unknownName = (what: string, name: string, known: Iterable<string>): string =>
  `Unknown ${what} ${JSON.stringify(shorten(name))}${suggestion(name, known)}`

/** At most 80 characters, for messages. */
export const shorten = (text: string) => (text.length > 80 ? `${text.slice(0, 79)}…` : text)
