/**
 * Keys of PostgreSQL's advisory locks that are numbers. Any will do as long as every server picks the
 * same ones and no two are equal. (Locks by name are `Locks`.)
 */
export const SERVER_LOCKS = {
  /** Servers that start together bring the schema up to date one after the other. */
  migration: 7_262_001,
  /** Definitions of entities change one transaction after the other. */
  definitions: 7_262_002,
  /** One change of who is an administrator at a time: the last one must stay. */
  administrators: 7_262_003,
  /** Of any number of callers one makes the first administrator. */
  firstAdministrator: 7_262_004,
} as const
