/**
 * Numeric keys of PostgreSQL's advisory locks: any numbers that are the same on every server and
 * differ from each other. (Locks by name are `Locks`.)
 */
export const SERVER_LOCKS = {
  /** Servers that start together migrate the schema one after the other. */
  migration: 7_262_001,
  /** Serialises changes of definitions. */
  definitions: 7_262_002,
  /** Serialises changes of administrators: the last one must stay. */
  administrators: 7_262_003,
  /** Serialises the creation of the first administrator. */
  firstAdministrator: 7_262_004,
} as const
