import { asc, eq, type SQL, sql } from 'drizzle-orm'
import { scimGroups, scimMembers, scimUsers, users } from '@/lib/db/schema'
import { type Db, one } from '@/lib/db/sql'
import { AppError } from '@/lib/errors'
import type { JsonObject } from '@/lib/values/json'
import { isUuid } from '@/lib/values/uuid'
import { KEPT, USER_SCHEMA } from './attributes'
import { type FilterTarget, filterToSql } from './filter/filter-to-sql'
import { jsonField, jsonRows } from './filter/json-fields'
import type { Filter } from './parse-filter'

/** An account as identity providers see it, managed or not. */
export type UserView = {
  id: string
  email: string
  active: boolean
  externalId: string | null
  attributes: JsonObject
  groups: { value: string; display: string }[]
  createdAt: Date
  updatedAt: Date
}

/** Of an account that is not managed: what it says itself. */
const ofAccount = sql`jsonb_build_object('emails', jsonb_build_array(
    jsonb_build_object('value', ${users.email}, 'type', 'work', 'primary', true)))
  || case jsonb_typeof(${users.profile} -> 'name') when 'string'
    then jsonb_build_object('displayName', ${users.profile} -> 'name') else '{}' end`
const attributes = sql<JsonObject>`coalesce(${scimUsers.attributes}, ${ofAccount})`
const active = sql<boolean>`(${users.status} = 'ACTIVATED')`
const updatedAt = sql`coalesce(${scimUsers.updatedAt}, ${users.updatedAt})`

const groupsOf = sql`from ${scimMembers} join ${scimGroups} on ${scimGroups.id} = ${scimMembers.groupId}
  where ${scimMembers.userId} = ${users.id}`
const groups = sql<UserView['groups']>`(select coalesce(jsonb_agg(jsonb_build_object(
  'value', ${scimGroups.id}, 'display', ${scimGroups.displayName})
  order by ${scimGroups.displayName}), '[]') ${groupsOf})`

const COLUMNS = {
  id: users.id,
  email: users.email,
  active,
  externalId: scimUsers.externalId,
  attributes,
  groups,
  createdAt: users.createdAt,
  updatedAt: updatedAt.mapWith(users.updatedAt),
}

const selectUsers = (db: Db) =>
  db.select(COLUMNS).from(users).leftJoin(scimUsers, eq(scimUsers.userId, users.id))

/** Throws `not_found`. */
export async function getUserView(db: Db, id: string): Promise<UserView> {
  const [found] = isUuid(id) ? await selectUsers(db).where(eq(users.id, id)) : []
  if (!found) throw new AppError('not_found', 'There is no user with this id')
  return found
}

export type Slice = { startIndex: number; count: number }

/** A page in the order of creation, with the number of all that meet the filter. */
export async function listUserViews(
  db: Db,
  filter: Filter | null,
  { startIndex, count }: Slice,
): Promise<{ total: number; found: UserView[] }> {
  const where = filter ? userCondition(filter) : undefined
  const { total } = one(
    await db
      .select({ total: sql<number>`count(*)::int` })
      .from(users)
      .leftJoin(scimUsers, eq(scimUsers.userId, users.id))
      .where(where),
  )
  if (count === 0) return { total, found: [] }
  const page = selectUsers(db).where(where).orderBy(asc(users.createdAt), asc(users.id))
  return { total, found: await page.limit(count).offset(startIndex - 1) }
}

/** The accounts that meet a filter, of users joined with what SCIM knows of them. Throws as `filterToSql`. */
export const userCondition = (filter: Filter): SQL => filterToSql(filter, TARGET)

const FIELDS: Record<string, ReturnType<FilterTarget['fieldOf']>> = {
  id: { type: 'text', value: sql`${users.id}::text` },
  userName: { type: 'text', value: sql`${users.email}` },
  externalId: { type: 'exact', value: sql`${scimUsers.externalId}` },
  active: { type: 'boolean', value: active },
  'meta.created': { type: 'instant', value: sql`${users.createdAt}` },
  'meta.lastModified': { type: 'instant', value: updatedAt },
}

const GROUP_FIELDS: Record<string, SQL> = {
  value: sql`${scimGroups.id}::text`,
  display: sql`${scimGroups.displayName}`,
}

const TARGET: FilterTarget = {
  schema: USER_SCHEMA,
  fieldOf({ urn, attribute, sub }) {
    const own = FIELDS[sub ? `${attribute.name}.${sub.name}` : attribute.name]
    if (own && urn === null) return own
    const isKept = urn !== null || KEPT.includes(attribute)
    return isKept ? jsonField(attributes, { urn, attribute, sub }) : null
  },
  rowsOf({ attribute }) {
    if (attribute.name === 'groups') return { from: groupsOf, field: fieldOfGroup }
    return KEPT.includes(attribute)
      ? jsonRows(sql`(${attributes} -> ${attribute.name}::text)`, attribute)
      : null
  },
}

const fieldOfGroup = (part: string) => ({
  type: 'text' as const,
  value: GROUP_FIELDS[part] ?? sql`null::text`,
})
