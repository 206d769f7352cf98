/** Valid SQL identifiers; PostgreSQL silently cuts longer ones at 63 bytes. */
const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]{0,62}$/

/** Names of system entities, which no other entity may have, case-insensitive. */
export const isSystemEntity = (entity: string) => /^engine/i.test(entity)

/** Why a name can't be an SQL identifier, or null. */
export function identifierFault(name: string): string | null {
  if (IDENTIFIER.test(name)) return null
  if (name.length > 63) return `Is ${name.length} characters long; at most 63 are allowed`
  return 'Must begin with a letter or _ and contain only the letters A-Z, digits and _'
}

export function entityNameFault(name: string): string | null {
  if (isSystemEntity(name)) return 'Names that begin with "Engine" are reserved'
  return identifierFault(name) ?? reservedFault(name)
}

export function propertyNameFault(name: string): string | null {
  if (name.startsWith('$')) return 'Names that begin with "$" are reserved'
  if (name.toLowerCase() === 'persistenceid')
    return 'Is reserved for the key of every record; choose another name'
  if (SYSTEM_COLUMNS.has(name)) return 'Is a system column of PostgreSQL; choose another name'
  return identifierFault(name) ?? reservedFault(name)
}

const SYSTEM_COLUMNS = new Set(['tableoid', 'ctid', 'xmin', 'cmin', 'xmax', 'cmax'])

/** Why a table can't be in this database schema: PostgreSQL's and the engine's are reserved. */
export function tableSchemaFault(name: string): string | null {
  const isClosed = /^(pg_|engine_trash)/i.test(name) || CLOSED_SCHEMAS.has(name.toLowerCase())
  return isClosed
    ? `The database schema "${name}" is reserved; choose another dbSchema`
    : identifierFault(name)
}

const CLOSED_SCHEMAS = new Set(['information_schema', 'engine', 'engine_migrations'])

/** Begins the name of a database schema that holds copies of the tables of another one. Entities can't have such schemas. */
const COPY_PREFIX = '~'
export const MAX_NAME = 63

export const copySchemaOf = (schema: string): string => (COPY_PREFIX + schema).slice(0, MAX_NAME)

/** The schema that a schema of copies stands for; others stand for themselves. */
export const originalSchema = (schema: string): string =>
  schema.startsWith(COPY_PREFIX) ? schema.slice(COPY_PREFIX.length) : schema

// `record.constructor` of a record without such a field would be a function.
const reservedFault = (name: string) =>
  name in Object.prototype ? 'Is a reserved word of JavaScript; choose another name' : null

/** Names equal to an earlier one, case-insensitive: `[index, earlier index]`. */
export function clashes(names: readonly string[]): [index: number, earlier: number][] {
  const seen = new Map<string, number>()
  return names.flatMap((name, index): [number, number][] => {
    const folded = name.toLowerCase()
    const earlier = seen.get(folded)
    if (earlier !== undefined) return [[index, earlier]]
    seen.set(folded, index)
    return []
  })
}
