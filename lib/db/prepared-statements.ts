import { sql } from 'drizzle-orm'

/** The most remembered texts, of all connections: a text gets a name when it is used again. */
const MAX_TEXTS = 1_000
/**
 * A connection with more prepared statements is closed on release: each takes memory of the server.
 */
const MAX_PREPARED = 1_000

/** Marks a statement whose best plan depends on its values: a plan for any values may miss an index. */
export const PLANNED_EACH_TIME = sql.raw('/* planned each time */')

const LONG = '/* may take long */'
/** Marks a statement that may take long, although it is planned once: few others wait for it on its connection. */
export const MAY_TAKE_LONG = sql.raw(LONG)

/**
 * Besides these: patterns, whose plan depends on what they look for, bulk statements, beside
 * which planning is nothing, and rows of a table's type, which PostgreSQL can't plan again once the table was made anew.
 */
const UNNAMED = /planned each time|\b(i?like|explain)\b|~|recordset|populate_record/i

type Named = { text: string; name?: string }

/**
 * Names statements, so that a connection parses each once and PostgreSQL may plan it once. Names
 * are given to texts that come again, and to none whose plan depends on its values.
 */
export class PreparedStatements {
  private readonly texts = new Map<string, string | null>()
  private readonly kept = new WeakMap<object, string>()
  private readonly ways = new WeakMap<object, { isNamed: boolean; isLong: boolean }>()
  private readonly prepared = new WeakMap<object, Set<string>>()
  private lastNumber = 0

  /** `statement` as `connection` should send it. */
  named<T extends Named>(connection: object, statement: T): T {
    const name = this.nameOf(statement.text)
    if (name === null) return statement
    this.note(connection, name)
    return { ...statement, name }
  }

  /** How a statement that is kept as an object is sent: by a name, and with few others. */
  private wayOf(statement: { text: string }) {
    const known = this.ways.get(statement)
    if (known) return known
    const isNamed = !UNNAMED.test(statement.text)
    const way = { isNamed, isLong: !isNamed || statement.text.includes(LONG) }
    this.ways.set(statement, way)
    return way
  }

  /** Whether a statement that is kept as an object may take long. */
  mayTakeLong(statement: { text: string }): boolean {
    return this.wayOf(statement).isLong
  }

  /**
   * The name of a statement that is kept as an object, for `connection` to send it by: none (empty) where it is planned
   * each time, and the first time, since some are made for one request.
   */
  nameFor(connection: object, statement: { text: string }): string {
    if (!this.wayOf(statement).isNamed) return ''
    const known = this.kept.get(statement)
    const name = known === undefined ? '' : known || `engine_${++this.lastNumber}`
    this.kept.set(statement, name)
    if (name === '') return name
    this.note(connection, name)
    return name
  }

  /** Gives a kept statement another name the next time. */
  forgetKept(statement: { text: string }): void {
    this.kept.delete(statement)
  }

  private note(connection: object, name: string): void {
    const names = this.prepared.get(connection)
    if (names) names.add(name)
    else this.prepared.set(connection, new Set([name]))
  }

  /** Gives `text` another name the next time, so that connections parse it again. */
  forget(text: string): void {
    this.texts.set(text, null)
  }

  isFull(connection: object): boolean {
    return (this.prepared.get(connection)?.size ?? 0) > MAX_PREPARED
  }

  private nameOf(text: string): string | null {
    if (UNNAMED.test(text)) return null
    const known = this.texts.get(text)
    const name = known === undefined ? null : (known ?? `engine_${++this.lastNumber}`)
    this.texts.delete(text) // the least recently used one comes first
    this.texts.set(text, name)
    if (this.texts.size > MAX_TEXTS) this.texts.delete(this.texts.keys().next().value ?? '')
    return name
  }
}
