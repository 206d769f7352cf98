import { Param, Placeholder, type SQL, StringChunk, sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'

/** No text of SQL can contain it. */
const PARAMETER = '\0'

class SplittingDialect extends PgDialect {
  override escapeParam = () => PARAMETER
}

const dialect = new SplittingDialect()

/**
 * A statement whose text is made once: building the text of a wide record takes longer than sending
 * it. Its changing values are `sql.placeholder`s.
 */
export class CompiledStatement {
  private readonly texts: string[]
  private readonly values: unknown[]

  constructor(statement: SQL) {
    const { sql: text, params } = dialect.sqlToQuery(statement)
    this.texts = text.split(PARAMETER)
    this.values = params
  }

  /** The statement with a value for each of its placeholders. */
  with(given: Readonly<Record<string, unknown>>): SQL {
    const chunks = this.texts.flatMap((text, at) => {
      const chunk = new StringChunk(text)
      if (at === this.values.length) return [chunk]
      const value = this.values[at]
      return [chunk, new Param(value instanceof Placeholder ? givenTo(given, value.name) : value)]
    })
    return sql.join(chunks)
  }
}

function givenTo(given: Readonly<Record<string, unknown>>, name: string): unknown {
  const value = given[name]
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
