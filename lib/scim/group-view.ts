import { asc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { scimGroups, scimMembers, users } from '@/lib/db/schema'
import { type Db, one } from '@/lib/db/sql'
import { AppError } from '@/lib/errors'
import { isUuid } from '@/lib/values/uuid'
import { GROUP, GROUP_SCHEMA } from './attributes'
import type { Resource } from './contract'
import { type FilterTarget, filterToSql } from './filter/filter-to-sql'
import type { Filter } from './parse-filter'
import { scimError } from './scim-error'
import type { Slice } from './user-view'

/** Of one group, and of all groups of a page together. */
export const MAX_MEMBERS = 20_000

export type Member = { value: string; display: string }
export type GroupView = {
  id: string
  displayName: string
  externalId: string | null
  version: number
  memberCount: number
  createdAt: Date
  updatedAt: Date
}

const membersOf = sql`from ${scimMembers} join ${users} on ${users.id} = ${scimMembers.userId}
  where ${scimMembers.groupId} = ${scimGroups.id}`

const COLUMNS = {
  id: scimGroups.id,
  displayName: scimGroups.displayName,
  externalId: scimGroups.externalId,
  version: scimGroups.version,
  memberCount: sql<number>`(select count(*)::int ${membersOf})`,
  createdAt: scimGroups.createdAt,
  updatedAt: scimGroups.updatedAt,
}

/** Throws `not_found`. */
export async function getGroupView(db: Db, id: string): Promise<GroupView> {
  const query = db.select(COLUMNS).from(scimGroups).where(eq(scimGroups.id, id))
  const [found] = isUuid(id) ? await query : []
  if (!found) throw noGroup()
  return found
}

/** The same, locked until the transaction ends. */
export async function lockGroup(tx: Db, id: string): Promise<GroupView> {
  const query = tx
    .select({ id: scimGroups.id })
    .from(scimGroups)
    .where(eq(scimGroups.id, id))
    .for('update')
  const [locked] = isUuid(id) ? await query : []
  if (!locked) throw noGroup()
  return getGroupView(tx, id)
}

const noGroup = () => new AppError('not_found', 'There is no group with this id')

/** A page in the order of creation, with the number of all that meet the filter. */
export async function listGroupViews(
  db: Db,
  filter: Filter | null,
  { startIndex, count }: Slice,
): Promise<{ total: number; found: GroupView[] }> {
  const where = filter ? filterToSql(filter, TARGET) : undefined
  const counted = db.select({ total: sql<number>`count(*)::int` }).from(scimGroups)
  const { total } = one(await counted.where(where))
  if (count === 0) return { total, found: [] }
  const page = db.select(COLUMNS).from(scimGroups).where(where)
  const ordered = page.orderBy(asc(scimGroups.createdAt), asc(scimGroups.id))
  return { total, found: await ordered.limit(count).offset(startIndex - 1) }
}

/** The members of groups, by group. Throws `tooMany` where a page would hold more than `MAX_MEMBERS`. */
export async function listMembers(
  db: Db,
  groups: readonly GroupView[],
): Promise<Map<string, Member[]>> {
  const expected = groups.reduce((sum, { memberCount }) => sum + memberCount, 0)
  if (groups.length > 1 && expected > MAX_MEMBERS)
    throw scimError('tooMany', 'These groups have too many members; use excludedAttributes=members')
  const members = new Map<string, Member[]>(groups.map(({ id }) => [id, []]))
  if (groups.length === 0) return members
  const found = await db
    .select({ groupId: scimMembers.groupId, value: users.id, display: users.email })
    .from(scimMembers)
    .innerJoin(users, eq(users.id, scimMembers.userId))
    .where(inArray(scimMembers.groupId, [...members.keys()]))
    .orderBy(asc(users.id))
  for (const { groupId, ...member } of found) members.get(groupId)?.push(member)
  return members
}

/** `members` null: they were not asked for. */
export function toGroupResource(view: GroupView, members: Member[] | null, base: string): Resource {
  const { id, displayName, externalId, createdAt, updatedAt } = view
  return {
    schemas: [GROUP],
    id,
    ...(externalId === null ? {} : { externalId }),
    displayName,
    ...(members ? { members: members.map((member) => ({ ...member, type: 'User' })) } : {}),
    meta: {
      resourceType: 'Group',
      created: createdAt.toISOString(),
      lastModified: updatedAt.toISOString(),
      location: `${base}/Groups/${id}`,
      version: groupVersion(view),
    },
  }
}

/** Members whose accounts are deleted leave without a change of the group. */
export const groupVersion = ({ version, memberCount }: GroupView): string =>
  `W/"${version}-${memberCount}"`

const FIELDS: Record<string, ReturnType<FilterTarget['fieldOf']>> = {
  id: { type: 'text', value: sql`${scimGroups.id}::text` },
  displayName: { type: 'text', value: sql`${scimGroups.displayName}` },
  externalId: { type: 'exact', value: sql`${scimGroups.externalId}` },
  'meta.created': { type: 'instant', value: sql`${scimGroups.createdAt}` },
  'meta.lastModified': { type: 'instant', value: sql`${scimGroups.updatedAt}` },
}

const MEMBER_FIELDS: Record<string, SQL> = {
  value: sql`${users.id}::text`,
  display: sql`${users.email}`,
  type: sql`'User'::text`,
}

const TARGET: FilterTarget = {
  schema: GROUP_SCHEMA,
  fieldOf: ({ attribute, sub }) =>
    FIELDS[sub ? `${attribute.name}.${sub.name}` : attribute.name] ?? null,
  rowsOf: ({ attribute }) =>
    attribute.name === 'members' ? { from: membersOf, field: fieldOfMember } : null,
}

const fieldOfMember = (part: string) => ({
  type: 'text' as const,
  value: MEMBER_FIELDS[part] ?? sql`null::text`,
})
