import { boolean, integer, jsonb, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { lower } from '@/lib/db/sql'
import type { Authored } from '@/lib/definitions/authored'
import type { PolicyDefinition, RoleDefinition } from '@/lib/definitions/policy'
import { createdAt, engine, updatedAt } from './engine'

/** Roles that are described, by a plugin or here. A role needs no row to be assigned: rights come from policies. */
export const roles = engine.table(
  'roles',
  {
    name: text('name').primaryKey(),
    pluginId: text('plugin_id'),
    definition: jsonb('definition').$type<RoleDefinition>().notNull(),
    authored: jsonb('authored').$type<Authored>(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [uniqueIndex('roles_name_unique').on(lower(t.name))],
)

/**
 * What roles may or may not do with the records of entities, in addition to the built-in rights.
 */
export const policies = engine.table(
  'policies',
  {
    name: text('name').primaryKey(),
    id: uuid('id').notNull().defaultRandom(),
    /** Null for one that was made here. */
    pluginId: text('plugin_id'),
    definition: jsonb('definition').$type<PolicyDefinition>().notNull(),
    authored: jsonb('authored').$type<Authored>(),
    /** Role names in lower case, or `*`. */
    principals: text('principals').array().notNull(),
    /** Entity names in lower case, or `*`. */
    entities: text('entities').array().notNull(),
    actions: text('actions').array().notNull(),
    allow: boolean('allow').notNull(),
    priority: integer('priority').notNull(),
    /** Why it no longer fits its entities; it denies all that it names until it is mended. */
    invalid: text('invalid'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [uniqueIndex('policies_name_unique').on(lower(t.name))],
)
export type PolicyRow = typeof policies.$inferSelect
