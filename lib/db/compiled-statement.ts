import { Param, Placeholder, SQL, StringChunk, sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
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
      String(value instanceof Placeholder ? valueNamed(values, value.name) : value),
    )
  }

  /** The statement with a value, or a part that is built each time, for each of its placeholders. */
  with(values: Readonly<Record<string, unknown>>): SQL {
    const chunks = this.texts.flatMap((text, at) => {
      const chunk = new StringChunk(text)
      if (at === this.values.length) return [chunk]
      const value = this.values[at]
      const filled = value instanceof Placeholder ? valueNamed(values, value.name) : value
      return [chunk, filled instanceof SQL ? filled : new Param(filled)]
    })
    return sql.join(chunks)
  }
}

/**
 * The number of rows that a statement writes, as an expression of another one. Its values must be texts. No index
 * is missed by it: it is planned for its values.
 */
export function affectedRowsSql(statement: SQL): SQL {
  const { sql: text, params } = dialect.sqlToQuery(statement)
  const [first = '', ...rest] = text.split(PARAMETER)
  const placed = first + rest.map((part, at) => `($1)[${at + 1}]${part}`).join('')
  return sql`engine.affected_rows(${placed}, ${textArray(params.map(String))})`
}

function valueNamed(values: Readonly<Record<string, unknown>>, name: string): unknown {
  const value = values[name]
  if (value === undefined) throw new Error(`The statement has no value for "${name}"`)
  return value
}

/** A statement for each kind of request is enough; odd ones are made again. */
const MAX_STATEMENTS = 100

/** The compiled statements of an object, by their kind, for as long as the object lives. */
export class StatementCache<Owner extends object> {
  private readonly byOwner = new WeakMap<Owner, Map<string, CompiledStatement>>()

  /** `kind` says everything on which the text depends, besides `owner`. */
  find(owner: Owner, kind: string, build: () => SQL): CompiledStatement {
    const known = this.byOwner.get(owner) ?? new Map<string, CompiledStatement>()
    this.byOwner.set(owner, known)
    const found = known.get(kind)
    if (found) return found
    if (known.size >= MAX_STATEMENTS) known.clear()
    const made = new CompiledStatement(build())
    known.set(kind, made)
    return made
  }
}
