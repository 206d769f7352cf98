import { entityKind, Name, Param, Placeholder, SQL, StringChunk, sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import { KeptByOwner } from '@/lib/values/kept-by-owner'
import { textArray } from './sql'

/** No text of SQL can contain it. */
const PARAMETER = '\0'

class SplittingDialect extends PgDialect {
  override escapeParam = () => PARAMETER
}

const dialect = new SplittingDialect()

/**
 * A statement whose text is made once: building the text of a wide record takes longer than sending
 * it. Its changing values, and parts, are `sql.placeholder`s.
 */
export class CompiledStatement {
  private readonly texts: string[]
  private readonly values: unknown[]
  /** With `$1`, `$2`, … for its values. */
  readonly text: string

  constructor(statement: SQL) {
    const { sql: text, params } = dialect.sqlToQuery(statement)
    this.texts = text.split(PARAMETER)
    this.values = params
    this.text = this.texts.reduce((before, part, at) => `${before}$${at}${part}`)
  }

  /** The values in the order of the text, for a statement whose values are texts and whose placeholders are no parts. */
  textsOf(values: Readonly<Record<string, string>>): string[] {
    return this.values.map((value) =>
      String(isPlaceholder(value) ? valueNamed(values, value.name) : value),
    )
  }

  /** The statement with a value, or a part that is built each time, for each of its placeholders. */
  with(values: Readonly<Record<string, unknown>>): SQL {
    const chunks = this.texts.flatMap((text, at) => {
      const chunk = new StringChunk(text)
      if (at === this.values.length) return [chunk]
      const value = this.values[at]
      const filled = isPlaceholder(value) ? valueNamed(values, value.name) : value
      return [chunk, kindOf(filled) === SQL[entityKind] ? (filled as SQL) : new Param(filled)]
    })
    return sql.join(chunks)
  }
}

/** A part of a statement, apart from its values: parts of the same text differ in nothing else. */
export type SplitPart = { text: string; values: string[] }

/** A part that is made for each request, whose values are texts. Much faster than the dialect, for what parts are made of. */
export function splitPart(part: SQL): SplitPart {
  const split: SplitPart = { text: '', values: [] }
  addChunk(split, part)
  return split
}

function addChunk(split: SplitPart, chunk: unknown): void {
  const kind = kindOf(chunk)
  if (kind === SQL[entityKind])
    for (const inner of (chunk as SQL).queryChunks) addChunk(split, inner)
  else if (kind === StringChunk[entityKind]) split.text += (chunk as StringChunk).value.join('')
  else if (kind === Name[entityKind]) split.text += dialect.escapeName((chunk as Name).value)
  else {
    if (typeof chunk !== 'string') throw new Error('Only texts can be values of a part')
    split.text += PARAMETER
    split.values.push(chunk)
  }
}

/** Not by `instanceof`: what another bundle has made is of its own copies of these classes, in development. */
const kindOf = (part: unknown): string | undefined =>
  (part as { constructor?: { [entityKind]?: string } } | null | undefined)?.constructor?.[
    entityKind
  ]

const isPlaceholder = (value: unknown): value is Placeholder =>
  kindOf(value) === Placeholder[entityKind]

/** The part in a compiled statement: its values are placeholders, `name` with their number in the part. */
export function joinPart({ text }: SplitPart, name: string): SQL {
  const chunks = text.split(PARAMETER).map((piece) => sql.raw(piece))
  return sql.join(
    chunks.flatMap((piece, at) =>
      at === 0 ? [piece] : [sql.placeholder(`${name}${at - 1}`), piece],
    ),
  )
}

/** What `joinPart` leaves open. */
export const valuesOfPart = ({ values }: SplitPart, name: string): Record<string, string> =>
  Object.fromEntries(values.map((value, at) => [`${name}${at}`, value]))

/**
 * The number of rows that a statement writes, as an expression of another one. Its values must be texts. No index
 * is missed by it: it is planned for its values.
 */
export function affectedRowsSql(statement: SQL): SQL {
  const { sql: text, params } = dialect.sqlToQuery(statement)
  return sql`engine.affected_rows(${withElements(text)}, ${textArray(params.map(String))})`
}

/** The text of a statement or part, with elements of its first value, an array, in place of its values. */
export function withElements(text: string): string {
  const [first = '', ...rest] = text.split(PARAMETER)
  return first + rest.map((part, at) => `($1)[${at + 1}]${part}`).join('')
}

function valueNamed(values: Readonly<Record<string, unknown>>, name: string): unknown {
  const value = values[name]
  if (value === undefined) throw new Error(`The statement has no value for "${name}"`)
  return value
}

/** The compiled statements of an object, by their kind, for as long as the object lives. */
export class StatementCache<Owner extends object> {
  private readonly kept = new KeptByOwner<Owner, CompiledStatement>()

  /** `kind` says everything on which the text depends, besides `owner`. */
  find(owner: Owner, kind: string, build: () => SQL): CompiledStatement {
    const known = this.kept.get(owner, kind)
    if (known) return known
    const made = new CompiledStatement(build())
    this.kept.set(owner, kind, made)
    return made
  }
}
